import { adoptionOf } from '../../src/postgres/adoption/adopt.ts';
import { parseMapping } from '../../src/postgres/adoption/mapping/parse-mapping.ts';
import { parsePostgresUrl } from '../../src/postgres/connecting/url.ts';
import { BENCH } from '../roster/store.ts';
import { type PostgresStore, runSql } from './postgres.ts';

const MAPPING = {
  table: 'public.vendor_key',
  fields: {
    organization_id: { column: 'team' },
    id: { column: 'id' },
    name: { column: 'name' },
    created_at: { column: 'created' },
    created_by_id: { column: 'owner' },
    created_by_type: { constant: 'user' },
    partial_key_hint: { sql: "start || '...' || last4" },
    status: { column: 'enabled', values: { active: [true], inactive: [false] } },
    workspace_id: { column: 'project' },
  },
  filters: ['status', 'workspace_id', 'created_by_user_id'],
};

const MAKE_TABLE = `
  CREATE TABLE public.vendor_key AS SELECT id::text, organization_id::text AS team, name, created_at AS created,
    created_by_id::text AS owner, split_part(partial_key_hint, '...', 1) AS start,
    split_part(partial_key_hint, '...', 2) AS last4, status = 'active' AS enabled, workspace_id::text AS project,
    sha256(id::bytea) AS hash FROM keyroster.api_keys ORDER BY created_at;
  ALTER TABLE public.vendor_key ADD PRIMARY KEY (id)`;

/** The same keys in a table as a vendor has it, with all filters served, in a database of their own. */
export async function withVendorTable<T>(
  { url, secret }: PostgresStore,
  work: (store: PostgresStore) => Promise<T>,
): Promise<T> {
  const server = Object.assign(new URL(url), { pathname: '/template1' }).href;
  const vendor = Object.assign(new URL(url), { pathname: '/vendor' }).href;
  await runSql(server, `CREATE DATABASE vendor TEMPLATE ${new URL(url).pathname.slice(1)}`);
  await runSql(vendor, MAKE_TABLE);
  const parsed = parseMapping(MAPPING);
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
  await adoptionOf(parsePostgresUrl(vendor)).apply(parsed.mapping, {
    actor: BENCH,
    role: undefined,
    onStep: () => {},
  });
  await runSql(vendor, 'DROP TABLE keyroster.own_api_keys');
  await runSql(vendor, 'VACUUM ANALYZE public.vendor_key');
  try {
    return await work({ url: vendor, secret });
  } finally {
    await runSql(server, 'DROP DATABASE vendor WITH (FORCE)');
  }
}
