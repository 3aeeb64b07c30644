import type { Client } from 'pg';
import { Refused } from '../roster/errors.ts';
import { openClient } from './connection.ts';
import { orRefused } from './errors.ts';
import { requireCurrentSchema } from './schema-version.ts';

/** The one connection of a writer. When it has ended, the next write opens another: an issuer keeps a writer for months. */
export class WriterConnection {
  readonly #url: string;
  #client: Promise<Client> | undefined;
  #closed = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws `Refused`. */
  client(): Promise<Client> {
    if (this.#closed) throw new Refused('database: the store is closed');
    this.#client ??= this.#open();
    return this.#client;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  async #open(): Promise<Client> {
    try {
      const client = await openCurrentSchema(this.#url);
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

export async function openCurrentSchema(url: string): Promise<Client> {
  const client = await openClient(url);
  try {
    await orRefused(() => requireCurrentSchema(client));
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}
