import type { Client } from 'pg';
import type { SchemaUse } from '../roster/schema.ts';
import { openClient } from './connecting/connection.ts';
import type { PostgresUrl } from './connecting/url.ts';
import { orRefused, RUN_AGAIN } from './errors.ts';
import { requireSchema } from './migrations/schema.ts';

/** The one connection of an operator's command or of a writer. When it has ended, the next use opens another: an issuer keeps a writer for months. */
export class OperatorConnection {
  readonly #url: PostgresUrl;
  readonly #use: SchemaUse;
  #client: Promise<Client> | undefined;

  constructor(url: PostgresUrl, use: SchemaUse) {
    this.#url = url;
    this.#use = use;
  }

  /** Throws `Refused`. */
  client(): Promise<Client> {
    this.#client ??= this.#open();
    return this.#client;
  }

  /** To be called when nothing uses the connection: a query under way would fail. */
  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  async #open(): Promise<Client> {
    try {
      const client = await openForSchema(this.#url, this.#use);
      client.once('end', () => {
        this.#client = undefined;
      });
      return client;
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
  }
}

/** Work over a connection of its own that only reads, or that does the rest when it is run again. Throws `Refused`. */
export async function withClient<T>(
  opening: Promise<Client>,
  work: (client: Client) => Promise<T>,
  outcome?: string,
): Promise<T> {
  const client = await opening;
  try {
    return await orRefused(() => work(client), RUN_AGAIN, outcome);
  } finally {
    await client.end();
  }
}

/** Throws `Refused`, also when this release can't use the database's schema so. */
export async function openForSchema(url: PostgresUrl, use: SchemaUse): Promise<Client> {
  const client = await openClient(url);
  try {
    await orRefused(() => requireSchema(client, use), RUN_AGAIN);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}
