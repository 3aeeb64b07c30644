import { Client, type ClientConfig } from 'pg';
import { orRefused } from './errors.ts';

const CONNECT_TIMEOUT_MS = 3_000;

/** A connection for an operator's work. Throws `Refused`. */
export function openClient(url: string): Promise<Client> {
  return orRefused(async () => {
    const client = new Client(clientConfig(url));
    client.on('error', () => {}); // the statement under way fails with it
    await client.connect();
    return client;
  });
}

/** What every connection is opened with. */
export function clientConfig(url: string, more: ClientConfig & { pipeline?: boolean } = {}): ClientConfig {
  return {
    connectionString: url,
    application_name: 'keyroster',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // Values as PostgreSQL writes them: the driver's own reading of timestamps drops the microseconds.
    types: { getTypeParser: () => (text: string) => text },
    ...more,
  };
}
