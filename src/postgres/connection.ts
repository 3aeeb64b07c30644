import { Client, type ClientConfig } from 'pg';
import { orRefused } from './errors.ts';

const CONNECT_TIMEOUT_MS = 3_000;

/** A connection for an operator's command. Throws `Refused`. */
export function openClient(url: string): Promise<Client> {
  return orRefused(async () => {
    const client = new Client(clientConfig(url));
    client.on('error', () => {}); // the pending statement rejects with this error
    await client.connect();
    return client;
  });
}

/** The settings of every connection. */
export function clientConfig(url: string, more: ClientConfig & { pipeline?: boolean } = {}): ClientConfig {
  return {
    connectionString: url,
    application_name: 'keyroster',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // All values stay text: the driver would parse timestamps without their microseconds.
    types: { getTypeParser: () => (text: string) => text },
    ...more,
  };
}
