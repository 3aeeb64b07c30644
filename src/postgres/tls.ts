import { Client, type ClientConfig } from 'pg';
import { isThisMachine } from '../this-machine.ts';
import { clientConfig } from './connection.ts';
import { orRefused } from './errors.ts';

/**
 * What an operator should know about the encryption of this connection: it is off although PostgreSQL is on another
 * machine, or anyone may answer in PostgreSQL's name. `null` when there is nothing to say. Never repeats the URL. Throws
 * `Refused` for a malformed URL.
 */
export function tlsWarning(url: string): Promise<string | null> {
  return orRefused(async () => {
    // The driver decides by the URL and by PGSSLMODE. Its client isn't connected.
    const { host, ssl } = new Client(clientConfig(url)) as unknown as Pick<ClientConfig, 'host' | 'ssl'>;
    if (!host || host.startsWith('/') || isThisMachine(host)) return null; // a path is a Unix socket's
    if (!ssl) return `the connection to PostgreSQL is not encrypted: ${REMEDY}`;
    if (typeof ssl === 'object' && ssl.rejectUnauthorized === false)
      return `the certificate of PostgreSQL is not checked: ${REMEDY}`;
    return null;
  });
}

const REMEDY = 'add sslmode=verify-full to the URL (docs/operations.md#tls)';
