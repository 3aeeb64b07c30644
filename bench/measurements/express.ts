import { openStoreFile } from '../../src/sqlite/store-file.ts';
import type { Target } from '../load/load.ts';
import { compare } from '../results/compare.ts';
import { comparison } from '../results/markdown.ts';
import { ratioOnly, type Section } from '../results/section.ts';
import type { SqliteStore } from '../roster/store.ts';
import { installPeers, withPeer } from '../servers/peer.ts';
import { type PostgresStore, runSql } from '../servers/postgres.ts';
import { withService } from '../servers/service.ts';
import { type Bench, requests } from './bench.ts';
import { cursorsFrom, DEEP } from './depth.ts';

const ABOUT = {
  SQLite: `The endpoint as it is usually written (\`bench/peers/express-drizzle.js\`): \`limit\` and \`offset\`, and
with every page a count of the keys that match. It reads the same file, but from a table of its own, with a column for each
field and an index in the order of the pages. It returns the same records, with times cut to milliseconds, and \`total\` instead
of cursors and \`has_more\`.`,
  PostgreSQL: `The same endpoint on Keyroster's own table, with an added index in the order of its pages, over a pool of 10 connections.`,
};

/** The endpoint as it is usually written, on the service's SQLite file. */
export function measureExpressOnSqlite(bench: Bench, store: SqliteStore): Promise<Section> {
  addEndpointTables(store.file);
  return measureAgainst(bench, 'SQLite', `sqlite:${store.file}`, store.secret, [
    'express-drizzle.js',
    'sqlite',
    store.file,
  ]);
}

/** The same endpoint on the service's PostgreSQL. */
export async function measureExpressOnPostgres(
  bench: Bench,
  { url, secret }: PostgresStore,
): Promise<Section> {
  await runSql(url, 'CREATE INDEX endpoint_order ON keyroster.api_keys (organization_id, created_at, id)');
  await runSql(url, 'ANALYZE keyroster.api_keys');
  return measureAgainst(bench, 'PostgreSQL', url, secret, ['express-drizzle.js', 'postgres', url]);
}

/** Keyroster stores records as rendered text, so the peer gets tables of its own with a column for each field. */
function addEndpointTables(file: string): void {
  const database = openStoreFile(file, { use: 'write' });
  const field = (path: string) => `json_extract('{"name":' || record, '$.${path}')`;
  database.exec(`
    CREATE TABLE endpoint_admin_keys (digest BLOB PRIMARY KEY, organization_id TEXT NOT NULL) STRICT;
    INSERT INTO endpoint_admin_keys SELECT digest, organizations.id FROM admin_keys
      JOIN organizations ON organizations.number = admin_keys.organization;
    CREATE TABLE endpoint_api_keys (
      id TEXT PRIMARY KEY, organization_id TEXT NOT NULL, name TEXT NOT NULL, created_at TEXT NOT NULL,
      created_by_id TEXT NOT NULL, created_by_type TEXT NOT NULL, partial_key_hint TEXT NOT NULL,
      status TEXT NOT NULL, workspace_id TEXT
    ) STRICT;
    INSERT INTO endpoint_api_keys
      SELECT api_keys.id, organizations.id, ${field('name')}, ${field('created_at')}, ${field('created_by.id')},
        ${field('created_by.type')}, ${field('partial_key_hint')}, ${field('status')}, ${field('workspace_id')}
      FROM api_keys JOIN organizations ON organizations.number = api_keys.organization;
    CREATE INDEX endpoint_order ON endpoint_api_keys (organization_id, created_at, id);
    ANALYZE endpoint_api_keys;
    PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}

/** Compares the first page and a deep page, which Keyroster finds by cursor and the peer by offset. */
function measureAgainst(
  bench: Bench,
  database: keyof typeof ABOUT,
  url: string,
  secret: string,
  peer: readonly string[],
): Promise<Section> {
  installPeers();
  const depth = Math.floor(bench.keys * DEEP);
  const cursors = () => cursorsFrom(depth, bench.keys);
  const offsets = () => cursors().map((_, index) => `offset=${depth + (index % 1000)}`);
  const name = `Express, Drizzle and ${database}`;
  return withService(url, secret, service =>
    withPeer(peer, async port => {
      const endpoint: Target = { port, headers: service.headers };
      const first = await compare(bench, [
        requests(bench, `${name}, first page`, endpoint, () => ['']),
        requests(bench, 'Keyroster, first page', service, () => ['']),
      ]);
      const deep = await compare(bench, [
        requests(bench, `${name}, depth ${depth.toLocaleString('en')}`, endpoint, offsets),
        requests(
          bench,
          `Keyroster, depth ${depth.toLocaleString('en')}, a different cursor each time`,
          service,
          cursors,
        ),
      ]);
      return {
        title: name,
        about: ABOUT[database],
        lines: [
          ...comparison('requests/s', 'the peer', first),
          '',
          ...comparison('requests/s', 'the peer', deep),
        ],
        goals: [ratioOnly(`against ${name}, first page`, first), ratioOnly(`against ${name}, deep`, deep)],
      };
    }),
  );
}
