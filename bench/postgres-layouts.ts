/**
 * Prints what ways to keep API keys in PostgreSQL cost: `node bench/postgres-layouts.ts [KEYS]`. The time of pages is the server's
 * CPU time, as Linux counts it, so that other work on the machine changes it little.
 */

import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { parsePostgresUrl } from '../src/postgres/connecting/url.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { READER_SETTINGS } from '../src/postgres/serving/reader-settings.ts';
import type { FilterName } from '../src/roster/filters.ts';
import type { Direction } from '../src/roster/list-query.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { table } from './results/markdown.ts';
import { median } from './results/statistics.ts';
import { copyApiKeys } from './roster/copy-api-keys.ts';
import { apiKeyId, creatorId, hash32, workspaceId } from './roster/make-api-keys.ts';
import { type Layout, layouts } from './roster/postgres-layouts.ts';
import { BENCH, ORGANIZATION } from './roster/store.ts';

const KEYS = Number(process.argv[2] ?? 200_000);
const ROUNDS = 9;
const UPDATES = 1_000;
type Page = readonly [
  what: string,
  filters: readonly FilterName[],
  direction: Direction | null,
  limit: number,
];
const PAGES: readonly Page[] = [
  ['first page', [], null, 20],
  ['any cursor', [], 'after', 20],
  ['workspace, first', ['workspaceId'], null, 20],
  ['workspace, any cursor', ['workspaceId'], 'after', 20],
  ['creator, any cursor', ['creatorId'], 'after', 20],
  ['1,000 keys, any cursor', [], 'after', 1_000],
];

interface Filled extends Layout {
  readonly client: Client;
  readonly pid: number;
  readonly keysPerSecond: number;
}

const server = await startPostgres();
try {
  const filled: Filled[] = [];
  for (const [number, layout] of layouts.entries()) filled.push(await fill(layout, `layout_${number}`));
  const sizes = await inTurn(filled, sizeOf);
  const pages = await pageTimes(filled);
  const updates = await inTurn(filled, async ({ client }) => [
    await walOfUpdates(client, 'status', 'off'),
    await walOfUpdates(client, 'status', 'pglz'),
    await walOfUpdates(client, 'name', 'off'),
  ]);
  const heading = ['', 'bytes a key', 'heap', 'indexes', 'COPY, keys/s'];
  const wal = ['WAL of a new status', 'with pglz', 'WAL of a new name'];
  const rows = filled.map(({ name, keysPerSecond }, index) => {
    const [heap = 0, indexes = 0] = sizes[index] ?? [];
    const bytes = [heap + indexes, heap, indexes].map(size => size.toFixed(0));
    return [name, ...bytes, keysPerSecond.toFixed(0), ...(updates[index] ?? []), ...(pages[index] ?? [])];
  });
  const lines = table([...heading, ...wal, ...PAGES.map(([what]) => `${what}, us`)], rows);
  process.stdout.write(`${lines.join('\n')}\n`);
  for (const { client } of filled) await client.end();
} finally {
  await server.stop();
}

async function fill(layout: Layout, database: string): Promise<Filled> {
  const admin = new Client(`${server.url}/postgres`);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${database}`);
  await admin.end();
  const url = `${server.url}/${database}`;
  await migrate(parsePostgresUrl(url), BENCH, undefined, layout.partitions);
  const client = new Client(url);
  client.on('error', () => {}); // when the server stops
  await client.connect();
  await client.query(layout.change);
  await client.query(`INSERT INTO keyroster.organizations (id, name) VALUES ('${ORGANIZATION}', 'Bench')`);
  const keysPerSecond = await copyApiKeys(client, KEYS, () => ORGANIZATION);
  if (layout.afterwards) await client.query(layout.afterwards);
  await client.query('VACUUM ANALYZE keyroster.api_keys');
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return { ...layout, client, pid: rows[0].pid, keysPerSecond };
}

async function inTurn<T>(filled: readonly Filled[], measure: (each: Filled) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const each of filled) results.push(await measure(each));
  return results;
}

async function sizeOf({ client }: Filled): Promise<number[]> {
  const { rows } = await client.query(
    `SELECT sum(pg_table_size(oid)) AS heap, sum(pg_indexes_size(oid)) AS indexes FROM pg_class
     WHERE relnamespace = 'keyroster'::regnamespace AND relkind = 'r' AND relname ~ '^api_keys'`,
  );
  return [rows[0].heap / KEYS, rows[0].indexes / KEYS];
}

/** For each layout, the time of each page: the median of rounds in which all have their turn. */
async function pageTimes(filled: readonly Filled[]): Promise<string[][]> {
  for (const { client } of filled) await client.query(READER_SETTINGS);
  const times = filled.map(() => [] as string[]);
  for (const page of PAGES) {
    const figures = filled.map(() => [] as number[]);
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, each] of filled.entries()) figures[index]?.push(await pageTime(each, page, round));
    for (const [index, own] of figures.entries()) times[index]?.push(median(own).toFixed(0));
  }
  for (const { client } of filled) await client.query('RESET ALL');
  return times;
}

async function pageTime(
  { client, pid, page }: Filled,
  [, filters, direction, limit]: Page,
  round: number,
): Promise<number> {
  const { name, text, parameters } = page(filters, direction);
  const pages = limit === 20 ? 200 : 12;
  const before = cpuMicroseconds(pid);
  for (let turn = 0; turn < pages; turn++) {
    const number = hash32(turn, round);
    const known: Record<string, unknown> = {
      organization: ORGANIZATION,
      rows: limit + 1,
      cursor: apiKeyId(number % KEYS),
      workspaceId: workspaceId(number % 12),
      creatorId: creatorId(number % 40),
    };
    const values = parameters.map(parameter => known[parameter]);
    await client.query({ name, text, values, rowMode: 'array' });
  }
  return (cpuMicroseconds(pid) - before) / pages;
}

/** That a process has had so far, in the first column. */
function cpuMicroseconds(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
}

/** Of one row each, after a checkpoint. */
async function walOfUpdates(client: Client, column: 'status' | 'name', compression: string): Promise<string> {
  await client.query('VACUUM keyroster.api_keys');
  await client.query(`SET wal_compression = ${compression}`);
  await client.query('CHECKPOINT');
  const position = 'SELECT pg_current_wal_insert_lsn() AS at';
  const before = (await client.query(position)).rows[0].at;
  const value =
    column === 'name' ? "name || ' of 2026'" : "CASE status WHEN 'active' THEN 'inactive' ELSE 'active' END";
  const salt = column.length + compression.length * 10;
  for (let turn = 0; turn < UPDATES; turn++)
    await client.query(
      `UPDATE keyroster.api_keys SET ${column} = ${value} WHERE organization_id = $1 AND id = $2`,
      [ORGANIZATION, apiKeyId(hash32(turn, salt) % KEYS)],
    );
  const { rows } = await client.query('SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) AS bytes', [
    before,
  ]);
  return `${(rows[0].bytes / UPDATES / 1024).toFixed(1)} KiB`;
}
