import { Client, type ClientConfig } from 'pg';
import { orRefused } from './errors.ts';
import { guardProtocol } from './guard-protocol.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** All organizations or admin keys, or a batch of an import's refusals. */
const MAX_COMMAND_ANSWER_BYTES = 1024 * 2 ** 20;

/** A connection for an operator's command. Throws `Refused`. */
export function openClient(url: string): Promise<Client> {
  return orRefused(() => connect(url, { maxAnswerBytes: MAX_COMMAND_ANSWER_BYTES }));
}

interface Connecting extends ClientConfig {
  readonly maxAnswerBytes: number;
  readonly pipeline?: boolean;
}

/** Connects. What breaks the connection later fails the statements under way, and is the client's event `error`. */
export async function connect(url: string, { maxAnswerBytes, ...more }: Connecting): Promise<Client> {
  const client = new Client(clientConfig(url, more));
  guardProtocol(client, maxAnswerBytes);
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
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
