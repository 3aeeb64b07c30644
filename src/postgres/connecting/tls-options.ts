import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { NotConnected } from './not-connected.ts';
import type { SslMode } from './parameters.ts';
import type { Ssl } from './url.ts';

/** Whether the certificate is checked; `null`: no TLS. Nothing falls back to less, and no mode checks a part of it. */
const CHECKS: Readonly<Record<SslMode, boolean | null>> = {
  disable: null,
  'no-verify': false,
  prefer: true,
  require: true,
  'verify-ca': true,
  'verify-full': true,
};

/** Reads the files at each connection, as they may have been replaced. Throws `NotConnected`. */
export function tlsOptions({ mode, rootCert, cert, key }: Ssl): false | ConnectionOptions {
  const rejectUnauthorized = CHECKS[mode];
  if (rejectUnauthorized === null) return false;
  return {
    rejectUnauthorized,
    ...(rootCert !== undefined && { ca: contentOf('sslrootcert', rootCert) }),
    ...(cert !== undefined && { cert: contentOf('sslcert', cert) }),
    ...(key !== undefined && { key: contentOf('sslkey', key) }),
  };
}

/** `null`: no TLS. */
export function checksCertificate({ mode }: Pick<Ssl, 'mode'>): boolean | null {
  return CHECKS[mode];
}

function contentOf(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new NotConnected(`${parameter}: its file can't be read (${code})`, { cause });
  }
}
