import { KeyrosterError } from './errors.ts';
import { fieldOf } from './thrown.ts';

const NOT_TRUSTED =
  "this machine doesn't trust its issuer: name the file of the issuer's certificate in NODE_EXTRA_CA_CERTS";
const REPLACE = 'the operator of the service has to replace it';

/** What to do about a certificate, by the code of Node and Bun, most of which are OpenSSL's. */
const CERTIFICATE_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', NOT_TRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', NOT_TRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', NOT_TRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', NOT_TRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', NOT_TRUSTED],
  ['CERT_UNTRUSTED', NOT_TRUSTED],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'it is for another name: use one that it is for in the base URL'],
  ['HOSTNAME_MISMATCH', 'it is for another name: use one that it is for in the base URL'],
  ['CERT_HAS_EXPIRED', 'it has expired: the operator of the service has to renew it'],
  ['CERT_NOT_YET_VALID', "it isn't valid yet: is this machine's clock right?"],
  ['CERT_CHAIN_TOO_LONG', REPLACE],
  ['CERT_REJECTED', REPLACE],
  ['CERT_REVOKED', REPLACE],
  ['CERT_SIGNATURE_FAILURE', REPLACE],
  ['INVALID_CA', REPLACE],
  ['INVALID_PURPOSE', REPLACE],
  ['PATH_LENGTH_EXCEEDED', REPLACE],
]);

const NO_TLS = 'nothing speaks TLS at this port: is it an http:// address?';
const NO_COMMON_TLS = 'the service and this machine have no version and cipher of TLS in common';

/** What a base URL leads to that no retry makes right, by the code of Node and Bun; Bun has one for all faults of a handshake. */
const ADDRESS_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['ERR_SSL_WRONG_VERSION_NUMBER', NO_TLS],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', NO_TLS],
  ['EPROTO', 'the TLS handshake failed: is it an http:// address?'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', NO_COMMON_TLS],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', NO_COMMON_TLS],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', NO_COMMON_TLS],
  ['ENOTFOUND', 'no such host is known: fix the base URL'],
]);

/** Whether the base URL leads nowhere. A name that was once found is right, whatever a network says that comes and goes. */
export function isAddressFault(code: string | null, wasAnswered: boolean): boolean {
  return ADDRESS_FAULTS.has(code) && !(code === 'ENOTFOUND' && wasAnswered);
}

/** Deno has no codes. What its message has, and the code that Node has for that. The first that fits counts. */
const CODES_IN_DENO = [
  [/invalid peer certificate: UnknownIssuer/, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  [/invalid peer certificate: certificate not valid for name/, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/invalid peer certificate: certificate expired/, 'CERT_HAS_EXPIRED'],
  [/invalid peer certificate: certificate not valid yet/, 'CERT_NOT_YET_VALID'],
  [/invalid peer certificate: /, 'CERT_REJECTED'],
  [/\(Connect\): received corrupt message of type InvalidContentType/, 'ERR_SSL_WRONG_VERSION_NUMBER'],
  [/\(Connect\): received fatal alert: ProtocolVersion/, 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
  [/\(Connect\): received fatal alert: HandshakeFailure/, 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
  [/dns error: .* not known/, 'ENOTFOUND'],
] as const;

/** Why `fetch`, or the reading of a body, failed. In Node and Deno the cause has the reason, in Bun the error itself. */
export function connectionError(error: unknown, origin: string, wasAnswered: boolean): KeyrosterError {
  const cause = fieldOf(error, 'cause');
  const text = (field: string) => textOf(fieldOf(cause, field)) ?? textOf(fieldOf(error, field));
  const message = text('message') ?? textOf(error) ?? 'fetch gave no reason';
  const code = text('code') ?? codeInDeno(message);
  const certificateFault = CERTIFICATE_FAULTS.get(code);
  if (certificateFault !== undefined) {
    const message = `the certificate of ${origin} is refused (${code}): ${certificateFault}`;
    return new KeyrosterError({ type: 'certificate_error', message, code });
  }
  const advice = isClosedAtOnce(code, origin) && !wasAnswered ? WANTS_TLS : ADDRESS_FAULTS.get(code);
  const reason = [code ?? message, advice].filter(part => part !== undefined).join(': ');
  return new KeyrosterError({
    type: 'network_error',
    message: `no complete answer from ${origin}: ${reason}`,
    code,
  });
}

/** A port with TLS closes a connection over which something else comes. Only Node has a code for that. */
const WANTS_TLS = 'is it an https:// address?';
const isClosedAtOnce = (code: string | null, origin: string) =>
  code === 'UND_ERR_SOCKET' && origin.startsWith('http:');

function codeInDeno(message: string): string | null {
  return CODES_IN_DENO.find(([words]) => words.test(message))?.[1] ?? null;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
