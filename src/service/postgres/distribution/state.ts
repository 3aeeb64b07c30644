import type { Client } from 'pg';
import type { Statements } from '../statements.ts';

export const TABLES = [
  'api_keys',
  'organizations',
  'imports',
  'import_statuses',
  'admin_keys',
  'disabled_organizations',
  'migrations',
  'fields',
  'store',
] as const;
export type Table = (typeof TABLES)[number];

/** On one shard of many, on every node, on the coordinator and known to the workers, or unknown to Citus. */
export type Place = 'distributed' | 'reference' | 'coordinator' | 'local';

export interface CitusState {
  readonly places: Readonly<Record<Table, Place>>;
  /** Those of `FOREIGN_KEYS` that there are, and whether PostgreSQL has checked all rows for each. */
  readonly foreignKeys: ReadonlyMap<ForeignKey, 'valid' | 'not valid'>;
  /** About how many API keys; 0 where they are distributed. */
  readonly rows: number;
  readonly shards: number;
  readonly workers: number;
  /** Whether workers can reach the coordinator's tables. */
  readonly isCoordinatorKnown: boolean;
  /** Why Citus can't distribute a table while it is written; `null`: it can. */
  readonly whyNotConcurrently: string | null;
}

const FOREIGN_KEYS = ['admin_keys_organization_id_fkey', 'api_keys_organization_id_fkey'] as const;
export type ForeignKey = (typeof FOREIGN_KEYS)[number];

/** Whether this database has the Citus extension. */
export async function hasCitus(client: Statements): Promise<boolean> {
  const { rows } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  return rows.length > 0;
}

/** How the tables are distributed; `null` where there is no Citus, and where a vendor's own table is served. Only reads. */
export async function citusState(client: Client): Promise<CitusState | null> {
  const { rows: found } = await client.query<{ kind: string | null }>(`
    SELECT (SELECT relkind::text FROM pg_class WHERE oid = to_regclass('keyroster.api_keys')) AS kind
    FROM pg_extension WHERE extname = 'citus'`);
  if (found[0]?.kind !== 'r') return null;
  const { rows } = await client.query<{ name: Table; place: Place }>(PLACES, [TABLES]);
  const places = Object.fromEntries(rows.map(({ name, place }) => [name, place])) as Record<Table, Place>;
  const keys = await client.query<{ name: ForeignKey; validity: 'valid' | 'not valid' }>(
    `SELECT conname AS name, CASE WHEN convalidated THEN 'valid' ELSE 'not valid' END AS validity
     FROM pg_constraint WHERE connamespace = 'keyroster'::regnamespace AND conname = ANY ($1)`,
    [FOREIGN_KEYS],
  );
  const cluster = await client.query(CLUSTER);
  const { shards, workers, coordinator, wal, flags, plugins } = cluster.rows[0];
  return {
    places,
    foreignKeys: new Map(keys.rows.map(({ name, validity }) => [name, validity])),
    rows: places.api_keys === 'distributed' ? 0 : await rowsOf(client),
    shards: Number(shards),
    workers: Number(workers),
    isCoordinatorKnown: coordinator === 'true',
    whyNotConcurrently: whyNot(wal, flags !== null, plugins),
  };
}

const PLACES = `
  SELECT name, CASE WHEN partmethod = 'h' THEN 'distributed' WHEN repmodel = 't' THEN 'reference'
    WHEN partmethod = 'n' THEN 'coordinator' ELSE 'local' END AS place
  FROM unnest($1::text[]) AS name LEFT JOIN pg_dist_partition ON logicalrelid = to_regclass('keyroster.' || name)`;

const CLUSTER = `
  SELECT current_setting('citus.shard_count') AS shards,
    count(*) FILTER (WHERE shouldhaveshards AND noderole = 'primary') AS workers,
    coalesce(bool_or(groupid = 0), false)::text AS coordinator,
    current_setting('wal_level') AS wal, pg_settings_get_flags('output_plugin_libraries') AS flags,
    (SELECT setting FROM pg_settings WHERE name = 'output_plugin_libraries') AS plugins FROM pg_dist_node`;

/** By the statistics, and where there are none by counting: once Citus knows the table, it has neither these nor rows here. */
async function rowsOf(client: Client): Promise<number> {
  const { rows } = await client.query(
    "SELECT reltuples::bigint AS estimate FROM pg_class WHERE oid = 'keyroster.api_keys'::regclass",
  );
  const estimate = Number(rows[0]?.estimate);
  if (estimate > 0) return estimate;
  const counted = await client.query('SELECT count(*) AS rows FROM keyroster.api_keys');
  return Number(counted.rows[0]?.rows);
}

/**
 * PostgreSQL has the list of plugins since 15.19, 16.15, 17.11 and 18.6. It lacks `citus` unless somebody has put it there, so
 * that is assumed where the role doesn't see it.
 */
function whyNot(walLevel: string, hasList: boolean, plugins: string | null): string | null {
  const setting = 'the setting output_plugin_libraries of the coordinator';
  if (walLevel !== 'logical') return 'the setting wal_level of the coordinator is not logical';
  if (!hasList) return null;
  if (plugins === null) return `this role may not read ${setting}; with pg_read_all_settings it may`;
  return plugins.split(/,\s*/).includes('citus') ? null : `${setting} lacks citus`;
}
