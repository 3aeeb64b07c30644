import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { parsePostgresUrl } from '../../src/postgres/connecting/url.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { CITUS_URL, createCitusDatabase } from '../../test/support/citus.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { BENCH } from '../roster/store.ts';

const ROLES = readFileSync(new URL('../../deploy/postgres-roles.sql', import.meta.url), 'utf8');

/** Connections of the superuser to a database with our schema. */
export interface Cluster {
  readonly url: string;
  /** As which the service reads. */
  readonly readerUrl: string;
  readonly coordinator: Client;
  /** Empty: the coordinator is one PostgreSQL without Citus. */
  readonly workers: readonly Worker[];
}

export interface Worker {
  readonly name: string;
  readonly client: Client;
}

/** On the cluster that `KEYROSTER_TEST_CITUS_URL` names, else on a PostgreSQL of its own, for as long as the work takes. */
export async function withCluster<T>(shards: number, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  return CITUS_URL ? onCitus(shards, work) : onPostgres(work);
}

async function onCitus<T>(shards: number, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const { url, workers, remove } = await createCitusDatabase();
  await withClient(url, async client => {
    const { rows } = await client.query('SELECT current_database() AS name');
    await client.query(`ALTER DATABASE ${rows[0].name} SET citus.shard_count = ${shards}`);
  });
  await migrate(parsePostgresUrl(url), BENCH);
  await withClient(url, client => client.query(ROLES));
  const opened = await Promise.all(
    workers.map(async ({ host, port, url }) => ({ name: `${host}:${port}`, client: await connected(url) })),
  );
  const coordinator = await connected(url);
  const readerUrl = Object.assign(new URL(url), { username: 'keyroster_reader' }).href;
  return work({ url, readerUrl, coordinator, workers: opened }).finally(async () => {
    await Promise.all([coordinator, ...opened.map(({ client }) => client)].map(client => client.end()));
    await remove();
  });
}

async function onPostgres<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const server = await startPostgres();
  const url = `${server.url}/postgres`;
  await migrate(parsePostgresUrl(url), BENCH);
  const coordinator = await connected(url);
  return work({ url, readerUrl: url, coordinator, workers: [] }).finally(async () => {
    await coordinator.end();
    await server.stop();
  });
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = await connected(url);
  await work(client).finally(() => client.end());
}

async function connected(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  return client;
}
