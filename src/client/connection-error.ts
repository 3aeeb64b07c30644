import { KeyrosterError } from './errors.ts';

/** What to do about a certificate, by the code of Node and Bun, most of which are OpenSSL's. */
const CERTIFICATE_FAULTS: readonly (readonly [code: RegExp, advice: string])[] = [
  [
    /SELF_SIGNED|ISSUER|UNTRUSTED|LEAF_SIGNATURE/,
    "this machine doesn't trust its issuer: name the file of the issuer's certificate in NODE_EXTRA_CA_CERTS",
  ],
  [/ALTNAME|^HOSTNAME_MISMATCH/, 'it is for another name: use one that it is for in the base URL'],
  [/^CERT_HAS_EXPIRED/, 'it has expired: the operator of the service has to renew it'],
  [/^CERT_NOT_YET_VALID/, "it isn't valid yet: is this machine's clock right?"],
  [/^CERT_|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_/, 'the operator of the service has to replace it'],
];

const NO_TLS = 'nothing speaks TLS at this port: is it an http:// address?';

/** What a base URL leads to that no retry makes right, by the code of Node and Bun; Bun has one for all faults of a handshake. */
const ADDRESS_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['bad port', 'fetch refuses this port: fix the base URL'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', NO_TLS],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', NO_TLS],
  ['EPROTO', 'the TLS handshake failed: is it an http:// address?'],
  ['ENOTFOUND', 'no such host is known: fix the base URL'],
]);

/** Whether the base URL leads nowhere. A name that was once found is right, whatever a network says that comes and goes. */
export function isAddressFault(code: string | null, wasAnswered: boolean): boolean {
  return ADDRESS_FAULTS.has(code) && !(code === 'ENOTFOUND' && wasAnswered);
}

/** Why `fetch`, or the reading of a body, failed. In Node and Deno the cause has the reason, in Bun the error itself. */
export function connectionError(error: unknown, origin: string, wasAnswered: boolean): KeyrosterError {
  const cause = fieldOf(error, 'cause');
  const text = (field: string) => textOf(fieldOf(cause, field)) ?? textOf(fieldOf(error, field));
  const reason = text('message') ?? textOf(error) ?? 'fetch gave no reason';
  const code = text('code') ?? (reason === 'bad port' ? reason : null); // Deno has none, nor Node for a port
  const [, ofCertificate] = CERTIFICATE_FAULTS.find(([pattern]) => pattern.test(code ?? '')) ?? [];
  if (ofCertificate !== undefined) {
    const message = `the certificate of ${origin} is refused (${code}): ${ofCertificate}`;
    return new KeyrosterError({ type: 'certificate_error', message, code });
  }
  // A port with TLS closes a connection over which something else comes. Only Node has a code for that.
  const wantsTls = code === 'UND_ERR_SOCKET' && origin.startsWith('http:') && !wasAnswered;
  const advice = wantsTls ? 'is it an https:// address?' : ADDRESS_FAULTS.get(code);
  const message = `no complete answer from ${origin}: ${code ?? reason}${advice ? `: ${advice}` : ''}`;
  return new KeyrosterError({ type: 'network_error', message, code });
}

/** A field of what was thrown. That may be anything: reading it may throw again, and that error may have the admin key. */
function fieldOf(thrown: unknown, field: string): unknown {
  try {
    return Object(thrown)[field];
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
