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
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'it is for another name: use one that it is for in baseUrl'],
  ['HOSTNAME_MISMATCH', 'it is for another name: use one that it is for in baseUrl'],
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

/** Deno has no codes. How its message goes on after these words, and the code that Node has for that; the last is for any other. */
const WORDS_IN_DENO = 'invalid peer certificate: ';
const CODES_IN_DENO = [
  ['UnknownIssuer', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ['certificate not valid for name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['certificate expired', 'CERT_HAS_EXPIRED'],
  ['certificate not valid yet', 'CERT_NOT_YET_VALID'],
  ['', 'CERT_REJECTED'],
] as const;

/** Why `fetch`, or the reading of a body, failed. In Node and Deno the cause has the reason, in Bun the error itself. */
export function connectionError(error: unknown, origin: string): KeyrosterError {
  const cause = fieldOf(error, 'cause');
  const text = (field: string) => textOf(fieldOf(cause, field)) ?? textOf(fieldOf(error, field));
  const message = text('message') ?? textOf(error) ?? 'fetch gave no reason';
  const code = text('code') ?? codeInDeno(message);
  const advice = CERTIFICATE_FAULTS.get(code);
  return advice === undefined
    ? new KeyrosterError({
        type: 'network_error',
        message: `no complete answer from ${origin}: ${code ?? message}`,
        code,
      })
    : new KeyrosterError({
        type: 'certificate_error',
        message: `the certificate of ${origin} is refused (${code}): ${advice}`,
        code,
      });
}

function codeInDeno(message: string): string | null {
  const start = message.indexOf(WORDS_IN_DENO);
  if (start < 0) return null;
  const rest = message.slice(start + WORDS_IN_DENO.length);
  return CODES_IN_DENO.find(([words]) => rest.startsWith(words))?.[1] ?? null;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
