import { Client, type ClientConfig } from 'pg';
// @ts-expect-error: the package has no types
import pgpass from 'pgpass';
import { orRefused, RUN_AGAIN } from '../errors.ts';
import { guardProtocol } from './guard-protocol.ts';
import {
  explanationOf,
  isAway,
  isFinal,
  MissingPassword,
  NotConnected,
  PostgresAway,
  placeOf,
} from './not-connected.ts';
import { requireAttrs, requireOwnSession, SEARCH_PATH } from './session.ts';
import { tlsOptions } from './tls.ts';
import { requireTrustedSchema } from './trusted-schema.ts';
import type { Host, PostgresUrl } from './url.ts';

/** All organizations or admin keys, or a batch of an import's refusals. */
const MAX_COMMAND_ANSWER_BYTES = 1024 * 2 ** 20;

/** A connection for an operator's command, or the start of the service. Throws `Refused`. */
export function openClient(url: PostgresUrl): Promise<Client> {
  const open = () => connect(url, { maxAnswerBytes: MAX_COMMAND_ANSWER_BYTES });
  return orRefused(async () => {
    const client = await open();
    try {
      await requireOwnSession(client, open, url.connectTimeoutMs);
      await client.query(`SET search_path = ${SEARCH_PATH}`);
      await requireTrustedSchema(client);
      return client;
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
  }, RUN_AGAIN);
}

/** Firewalls and load balancers forget an idle connection after some minutes, and by itself the system asks after two hours. */
const KEEP_ALIVE_DELAY_MS = 60_000;

interface Connecting extends ClientConfig {
  readonly maxAnswerBytes: number;
}

/**
 * Connects to the first host that can be reached and is what the URL asks for. What breaks the connection later fails the statements
 * under way, and is the client's event `error`. Throws `NotConnected`.
 */
export async function connect(url: PostgresUrl, connecting: Connecting): Promise<Client> {
  const reasons: string[] = [];
  let cause: unknown;
  let away = false;
  for (const host of url.hosts) {
    try {
      return await connectTo(host, url, connecting);
    } catch (error) {
      if (error instanceof NotConnected) throw error;
      cause = error;
      away ||= isAway(error);
      reasons.push(`${placeOf(host)}: ${explanationOf(error, url)}`);
      if (isFinal(error)) break;
    }
  }
  const Why = away && !isFinal(cause) ? PostgresAway : NotConnected;
  throw new Why(reasons.join('; '), { cause });
}

async function connectTo(
  host: Host,
  url: PostgresUrl,
  { maxAnswerBytes, ...more }: Connecting,
): Promise<Client> {
  const client = new Client({ ...clientConfig(host, url), ...more });
  guardProtocol(client, maxAnswerBytes);
  client.on('error', () => {});
  try {
    await client.connect();
    await requireAttrs(client, url.sessionAttrs ?? 'any', url.connectTimeoutMs);
    return client;
  } catch (error) {
    // The server would wait for the rest of a handshake, and this process for the server.
    client.connection.stream.destroy();
    throw error;
  }
}

/** The settings of every connection. All that the driver would read from the environment is here. */
function clientConfig(host: Host, url: PostgresUrl): ClientConfig {
  return {
    ...host,
    user: url.user,
    password: passwordFor(url, host),
    database: url.database,
    ssl: tlsOptions(url.ssl),
    sslnegotiation: 'postgres',
    options: url.options,
    application_name: url.applicationName,
    connectionTimeoutMillis: url.connectTimeoutMs,
    client_encoding: 'utf8',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    // All values stay text: the driver would parse timestamps without their microseconds.
    types: { getTypeParser: () => (text: string) => text },
  };
}

type Lookup = (
  entry: { host: string; port: number; database: string; user: string },
  found: (password: string | undefined) => void,
) => void;

/**
 * What the driver calls when PostgreSQL asks for a password: the URL's or the environment's, else that of the file ~/.pgpass or
 * PGPASSFILE. Throws `MissingPassword`: the driver would go on without one, and say something that nobody understands.
 */
function passwordFor({ password, database, user }: PostgresUrl, { host, port }: Host): () => Promise<string> {
  return async () => {
    if (password) return password();
    // As in libpq the file has `localhost` for a Unix socket.
    const entry = { host: host.startsWith('/') ? 'localhost' : host, port, database, user };
    const found = await new Promise<string | undefined>(resolve => (pgpass as Lookup)(entry, resolve));
    if (!found) throw new MissingPassword();
    return found;
  };
}
