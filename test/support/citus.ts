/** Databases on a cluster with Citus that the environment names. Each suite has its own, on every node. */
import { Client } from 'pg';

/** A superuser's URL of a database with Citus and at least two workers. When it isn't set, no test runs over Citus. */
export const CITUS_URL = process.env.KEYROSTER_TEST_CITUS_URL;

/** For the option `skip` of a test. */
export const skipWithoutCitus = CITUS_URL
  ? false
  : 'to run these tests, set KEYROSTER_TEST_CITUS_URL to a database with Citus and two workers';

export interface CitusNode {
  readonly host: string;
  readonly port: number;
  /** The suite's database there, for the superuser. */
  readonly url: string;
}

export interface CitusDatabase {
  /** On the coordinator, for the superuser. */
  readonly url: string;
  readonly coordinator: CitusNode;
  readonly workers: readonly CitusNode[];
  remove(): Promise<void>;
}

interface CitusOptions {
  /** Whether no other suite may use the cluster meanwhile: for tests that stop a node. */
  readonly alone?: boolean;
  /** Whether the extension is there and the nodes know each other. Otherwise it is a database of the coordinator alone, for now. */
  readonly isCluster?: boolean;
}

/** Few, as making a shard takes time, and more than workers. */
const SHARDS = 8;
/** An arbitrary number, of the lock that suites share, and that one which stops nodes has alone. */
const CLUSTER_LOCK = 1_707_243;

let databases = 0;

/** Creates an empty database on each node. Waits for a suite that uses the cluster alone, or until there is no other one. */
export async function createCitusDatabase(options: CitusOptions = {}): Promise<CitusDatabase> {
  const cluster = await connected(String(CITUS_URL));
  try {
    return await createOn(cluster, options);
  } catch (error) {
    await cluster.end(); // open, it would keep the test's process from ending
    throw error;
  }
}

async function createOn(
  cluster: Client,
  { alone = false, isCluster = true }: CitusOptions,
): Promise<CitusDatabase> {
  const { rowCount } = await cluster.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  if (rowCount === 0) throw new Error('KEYROSTER_TEST_CITUS_URL: the database lacks the extension citus');
  await cluster.query(`SELECT pg_advisory_lock${alone ? '' : '_shared'}(${CLUSTER_LOCK})`);
  const name = `keyroster_${process.pid}_${databases++}`;
  const { rows } = await cluster.query<{ host: string; port: number; isWorker: boolean }>(
    `SELECT nodename AS host, nodeport AS port, groupid <> 0 AS "isWorker" FROM pg_dist_node
     WHERE noderole = 'primary' ORDER BY groupid`,
  );
  const urlAt = ({ host, port }: { host: string; port: number | string }) =>
    Object.assign(new URL(String(CITUS_URL)), { hostname: host, port, pathname: `/${name}` }).href;
  const workers = rows.filter(({ isWorker }) => isWorker).map(node => ({ ...node, url: urlAt(node) }));
  if (workers.length < 2) throw new Error('KEYROSTER_TEST_CITUS_URL: the cluster has fewer than two workers');
  const { hostname: host, port } = new URL(String(CITUS_URL));
  const coordinator = { host, port: Number(port || 5432), url: urlAt({ host, port }) };
  const nodes = [coordinator, ...workers];

  await Promise.all(nodes.map(node => onServer(node, `CREATE DATABASE ${name}`)));
  if (isCluster) await join(coordinator, workers);
  return {
    url: coordinator.url,
    coordinator,
    workers,
    remove: async () => {
      await Promise.all(nodes.map(node => onServer(node, `DROP DATABASE ${name} WITH (FORCE)`)));
      await cluster.end();
    },
  };
}

/** Makes a cluster of the databases. */
export async function join(coordinator: CitusNode, workers: readonly CitusNode[]): Promise<void> {
  await Promise.all([coordinator, ...workers].map(({ url }) => run(url, 'CREATE EXTENSION citus')));
  const client = await connected(coordinator.url);
  const { rows } = await client.query('SELECT current_database() AS name');
  await client.query(`ALTER DATABASE ${rows[0]?.name} SET citus.shard_count = ${SHARDS}`);
  await client.query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
  for (const worker of workers)
    await client.query('SELECT citus_add_node($1, $2)', [worker.host, worker.port]);
  await client.end();
}

/** These by the worker that has their shard, in the order of `workers`. It is told of IDs that no organization has yet, too. */
export async function organizationsByWorker<Listed extends { readonly id: string }>(
  client: Client,
  organizations: readonly Listed[],
): Promise<Listed[][]> {
  const { rows } = await client.query<{ id: string; worker: string }>(
    `SELECT id, (SELECT count(*) FROM pg_dist_node AS before WHERE before.groupid BETWEEN 1 AND pg_dist_placement.groupid - 1
       AND noderole = 'primary')::text AS worker
     FROM unnest($1::text[]) AS id JOIN pg_dist_placement
       ON shardid = get_shard_id_for_distribution_column('keyroster.api_keys', id)`,
    [organizations.map(({ id }) => id)],
  );
  const workers = new Map(rows.map(({ id, worker }) => [id, Number(worker)]));
  const sorted: Listed[][] = [];
  for (const each of organizations) {
    const worker = workers.get(each.id) ?? 0;
    sorted[worker] ??= [];
    sorted[worker].push(each);
  }
  return sorted;
}

/** By the database that every server has, as one can't drop the database that one is connected to. */
function onServer({ url }: CitusNode, sql: string): Promise<void> {
  return run(Object.assign(new URL(url), { pathname: '/postgres' }).href, sql);
}

async function run(url: string, sql: string): Promise<void> {
  const client = await connected(url);
  await client.query(sql).finally(() => client.end());
}

async function connected(url: string): Promise<Client> {
  const client = new Client(url);
  client.on('error', () => {}); // of a node that a test stops
  await client.connect();
  return client;
}
