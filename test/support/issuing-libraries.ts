/** The libraries in whose transactions an issuer may write, with the adapters of examples/issuing. */
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePostgresJs } from 'drizzle-orm/postgres-js';
import { CamelCasePlugin, Kysely, type KyselyPlugin, ParseJSONResultsPlugin, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import type { Transaction } from '../../src/service/writer/writer-in.ts';
import { newPool } from './connect.ts';

/** What an issuer has in a transaction of its own. */
export interface OwnTransaction {
  readonly transaction: Transaction;
  /** Inserts a row into the issuer's own table, which has the columns `id` and `digest`. */
  insertOwn(id: string): Promise<unknown>;
}

export interface IssuingLibrary {
  readonly name: string;
  /** Runs the work in a transaction, which is committed, or rolled back when the work throws. */
  inTransaction<T>(url: string, work: (own: OwnTransaction) => Promise<T>): Promise<T>;
}

/** The adapter of this file of examples/issuing. */
export async function adapter(file: string): Promise<(transaction: unknown) => Transaction> {
  const [found] = Object.values(await import(`../../examples/issuing/${file}.js`));
  return found as (transaction: unknown) => Transaction;
}
const inDrizzle = await adapter('drizzle');
const inKysely = await adapter('kysely');
const inPostgresJs = await adapter('postgres-js');

const plainPg: IssuingLibrary = {
  name: 'pg',
  inTransaction: async (url, work) => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query('BEGIN');
      const insertOwn = (id: string) => client.query('INSERT INTO issued_keys VALUES ($1, $2)', [id, '']);
      const result = await work({ transaction: client, insertOwn });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      await client.end();
    }
  },
};

const withDrizzle: IssuingLibrary = {
  name: 'Drizzle',
  inTransaction: async (url, work) => {
    const db = drizzle(url);
    try {
      return await db.transaction(tx => {
        const insertOwn = async (id: string) => tx.execute(sql`INSERT INTO issued_keys VALUES (${id}, '')`);
        return work({ transaction: inDrizzle(tx), insertOwn });
      });
    } finally {
      await db.$client.end();
    }
  },
};

const withKysely = (name: string, plugins: KyselyPlugin[]): IssuingLibrary => ({
  name,
  inTransaction: async (url, work) => {
    const dialect = new PostgresDialect({ pool: newPool(url) });
    const db = new Kysely<{ issued_keys: { id: string; digest: string } }>({ dialect, plugins });
    try {
      return await db.transaction().execute(trx => {
        const insertOwn = (id: string) => trx.insertInto('issued_keys').values({ id, digest: '' }).execute();
        return work({ transaction: inKysely(trx), insertOwn });
      });
    } finally {
      await db.destroy();
    }
  },
});

/** Drizzle returns the rows of this driver themselves, which the example says in words. */
const withDrizzleOverPostgresJs: IssuingLibrary = {
  name: 'Drizzle over postgres.js',
  inTransaction: async (url, work) => {
    const client = postgres(url);
    try {
      return await drizzlePostgresJs(client).transaction(tx => {
        const insertOwn = async (id: string) => tx.execute(sql`INSERT INTO issued_keys VALUES (${id}, '')`);
        const { query } = inDrizzle(tx);
        const transaction: Transaction = {
          query: async (...args) => ({ rows: (await query(...args)) as unknown as unknown[] }),
        };
        return work({ transaction, insertOwn });
      });
    } finally {
      await client.end();
    }
  },
};

const withPostgresJs: IssuingLibrary = {
  name: 'postgres.js',
  inTransaction: async <T>(url: string, work: (own: OwnTransaction) => Promise<T>) => {
    const client = postgres(url);
    try {
      const result = await client.begin(tx => {
        const insertOwn = (id: string) => tx`INSERT INTO issued_keys VALUES (${id}, '')`;
        return work({ transaction: inPostgresJs(tx), insertOwn });
      });
      return result as T;
    } finally {
      await client.end();
    }
  },
};

export const issuingLibraries: readonly IssuingLibrary[] = [
  plainPg,
  withDrizzle,
  withDrizzleOverPostgresJs,
  withPostgresJs,
  withKysely('Kysely', []),
  withKysely('Kysely with plugins', [new CamelCasePlugin(), new ParseJSONResultsPlugin()]),
];
