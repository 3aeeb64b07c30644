import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { NotConnected } from './not-connected.ts';
import { CERTIFICATE_CHECKS } from './parameters.ts';
import type { Ssl } from './url.ts';

/** Reads the files at each connection, as they may have been replaced. Throws `NotConnected`. */
export function tlsOptions({ mode, rootCert, cert, key }: Ssl): false | ConnectionOptions {
  const rejectUnauthorized = CERTIFICATE_CHECKS[mode];
  if (rejectUnauthorized === null) return false;
  return {
    rejectUnauthorized,
    ...(rootCert !== undefined && { ca: contentOf('sslrootcert', rootCert) }),
    ...(cert !== undefined && { cert: contentOf('sslcert', cert) }),
    ...(key !== undefined && { key: contentOf('sslkey', key) }),
  };
}

/** `null`: no TLS. */
export function checksCertificate({ mode }: Ssl): boolean | null {
  return CERTIFICATE_CHECKS[mode];
}

function contentOf(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new NotConnected(`${parameter}: its file can't be read (${code})`, { cause });
  }
}
