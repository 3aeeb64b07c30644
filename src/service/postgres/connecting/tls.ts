import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { isThisMachine } from '../../../shared/this-machine.ts';
import { NotConnected } from './not-connected.ts';
import { CERTIFICATE_CHECKS } from './parameters.ts';
import type { PostgresUrl, Ssl } from './url.ts';

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

function contentOf(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new NotConnected(`${parameter}: its file can't be read (${code})`, { cause });
  }
}

/**
 * What an operator should know about the encryption of this connection: it is off although PostgreSQL is on another
 * machine, or anyone may answer in PostgreSQL's name. `null` when there is nothing to say. Never repeats the URL.
 */
export function tlsWarning({ hosts, ssl }: PostgresUrl): string | null {
  const isChecked = CERTIFICATE_CHECKS[ssl.mode];
  if (isChecked || hosts.every(({ host }) => host.startsWith('/') || isThisMachine(host))) return null;
  const what =
    isChecked === null
      ? 'connection to PostgreSQL is not encrypted'
      : 'certificate of PostgreSQL is not checked';
  return `the ${what}: add sslmode=verify-full to the URL (docs/postgresql.md#tls)`;
}
