import { isThisMachine } from '../this-machine.ts';
import { checksCertificate } from './connecting/tls-options.ts';
import type { PostgresUrl } from './connecting/url.ts';

/**
 * What an operator should know about the encryption of this connection: it is off although PostgreSQL is on another
 * machine, or anyone may answer in PostgreSQL's name. `null` when there is nothing to say. Never repeats the URL.
 */
export function tlsWarning({ hosts, ssl }: PostgresUrl): string | null {
  if (hosts.every(({ host }) => host.startsWith('/') || isThisMachine(host))) return null;
  const isChecked = checksCertificate(ssl);
  if (isChecked === null) return `the connection to PostgreSQL is not encrypted: ${REMEDY}`;
  return isChecked ? null : `the certificate of PostgreSQL is not checked: ${REMEDY}`;
}

const REMEDY = 'add sslmode=verify-full to the URL (docs/postgresql.md#tls)';
