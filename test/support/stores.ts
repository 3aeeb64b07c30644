/** All kinds of stores, for tests that run over each of them. */
import { after } from 'node:test';
import { CITUS_URL, createCitusDatabase } from './citus.ts';
import { type PostgresServer, SERVER_URL } from './postgres.ts';
import { sqlite } from './roster.ts';
import { runSql } from './run-sql.ts';
import { MIGRATED, startServerOfStores } from './server-of-stores.ts';
import { type StoreOfTests, storeAt } from './store-at.ts';

export interface TestStore extends StoreOfTests {
  /** The store's URL, for `--database`. */
  readonly url: string;
  remove(): Promise<void>;
}

export interface StoreKind {
  readonly name: string;
  /** Creates an empty store with the current schema. */
  create(): Promise<TestStore>;
}

export const postgres: StoreKind = { name: 'PostgreSQL', create: createPostgresStore };
const citus: StoreKind = { name: 'Citus', create: createCitusStore };

export const storeKinds: readonly StoreKind[] = [sqlite, postgres, ...(CITUS_URL ? [citus] : [])];

let databases = 0;

async function createPostgresStore(): Promise<TestStore> {
  const database = await createDatabase(`TEMPLATE ${MIGRATED}`);
  return { ...storeAt(database.url), ...database };
}

/** Creates an empty database on the run's server. Its files are copied, which takes less than to log their pages. */
export async function createDatabase(options = ''): Promise<Pick<TestStore, 'url' | 'remove'>> {
  const server = await serverUrl();
  const name = `keyroster_${process.pid}_${databases++}`;
  await runSql(`${server}/postgres`, `CREATE DATABASE ${name} STRATEGY FILE_COPY ${options}`);
  const remove = async () => {
    await runSql(`${server}/postgres`, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { url: `${server}/${name}`, remove };
}

async function createCitusStore(): Promise<TestStore> {
  const { url, remove } = await createCitusDatabase();
  const store = storeAt(url);
  await store.migrate();
  return { ...store, url, remove };
}

let own: Promise<PostgresServer> | undefined;

/** The server of the whole run, or a new one for a test file that is run by itself. */
async function serverUrl(): Promise<string> {
  const shared = process.env[SERVER_URL];
  if (shared) return shared;
  own ??= startServerOfStores();
  const server = await own;
  return server.url;
}

after(async () => (await own)?.stop());
