/** The smallest table of API keys that there is, and its mapping. */
import { addedIndexes } from '../../../src/service/postgres/vendor-table/indexes.ts';
import type { Mapping } from '../../../src/service/postgres/vendor-table/mapping.ts';
import type { Scope } from '../scope.ts';
import { parsed, type VendorDatabase, vendorDatabase } from './vendor-database.ts';

export const TABLE = 'public.apikey';
export const KEYS = 5_000;

export const mappingJson = {
  table: TABLE,
  fields: {
    organization_id: { column: 'team' },
    id: { column: 'id' },
    name: { column: 'name' },
    created_at: { column: 'created' },
    created_by_id: { column: 'owner' },
    created_by_type: { constant: 'user' },
    partial_key_hint: { sql: "start || '...' || last4" },
    status: { column: 'enabled', values: { active: [true], inactive: [false] } },
    workspace_id: { constant: null },
  },
  filters: ['status', 'workspace_id'],
};

export const simpleMapping = (change: object = {}): Mapping => parsed({ ...mappingJson, ...change });

export const indexNamesOf = (of: Mapping) => addedIndexes(of).map(({ name }) => name);

export const CREATE_TABLE = `
  CREATE TABLE ${TABLE} (id text PRIMARY KEY, team text NOT NULL, name text NOT NULL, created timestamptz NOT NULL,
    owner text NOT NULL, start text NOT NULL, last4 text NOT NULL, enabled boolean NOT NULL, hash text NOT NULL);
  INSERT INTO ${TABLE} SELECT 'key_' || i, 'team_' || i % 3, 'Key ' || i, timestamptz '2024-01-01Z' + i * interval '1 s',
    'user_' || i % 7, 'sk_' || i % 10, lpad((i % 10000)::text, 4, '0'), i % 5 > 0, md5(i::text)
  FROM generate_series(1, ${KEYS}) AS i`;

export async function databaseWithSimpleTable(scope: Scope): Promise<VendorDatabase> {
  const database = await vendorDatabase(scope);
  await database.client.query(CREATE_TABLE);
  return database;
}
