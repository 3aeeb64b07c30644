import { randomBytes } from 'node:crypto';
import { randomBase62 } from '../../../src/shared/record/identifier.ts';
import { newPool } from '../connect.ts';
import { digestOf, type MappingFile, partsOf, timeOf, type VendorTable } from './vendor-table.ts';

/** better-auth with its API-key plugin over this database. It is loaded here, as that takes longer than most tests. */
export async function openBetterAuth(url: string) {
  const { apiKey } = await import('@better-auth/api-key');
  const { betterAuth } = await import('better-auth');
  const { getMigrations } = await import('better-auth/db/migration');
  const database = newPool(url);
  const options = {
    database,
    baseURL: 'http://127.0.0.1',
    secret: randomBytes(32).toString('base64'),
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    plugins: [apiKey({ enableMetadata: true })],
  };
  return {
    /** The tables of better-auth itself and of the plugin. */
    migrate: async () => (await getMigrations(options)).runMigrations(),
    api: () => betterAuth(options).api,
    close: () => database.end(),
  };
}

/** As a person maps the table who uses nothing but the plugin's own columns. Its code takes NULL in `enabled` for true. */
export const betterAuthMapping: MappingFile = {
  table: 'public.apikey',
  fields: {
    organization_id: { column: 'referenceId' },
    id: { column: 'id' },
    name: { sql: `coalesce("name", '')` },
    created_at: { column: 'createdAt' },
    created_by_id: { column: 'referenceId' },
    created_by_type: { constant: 'user' },
    partial_key_hint: {
      sql: `coalesce("start", '____') || '...____'`,
      note: 'the table keeps no last characters: ____ stands for them',
    },
    status: { column: 'enabled', values: { active: [true, null], inactive: [false] } },
    workspace_id: { constant: null },
  },
  filters: ['status', 'workspace_id', 'created_by_user_id'],
};

const metadata = (name: string) => `("metadata"::jsonb ->> '${name}')`;

/** A vendor keeps in `metadata` what the plugin has no column for: so the table can have every kind of API key. */
export const betterAuth: VendorTable = {
  name: 'better-auth, with metadata',
  async create(url) {
    const auth = await openBetterAuth(url);
    await auth.migrate();
    await auth.close();
  },
  mapping: {
    table: 'public.apikey',
    fields: {
      ...betterAuthMapping.fields,
      created_by_id: { sql: metadata('creator') },
      created_by_type: {
        sql: `CASE ${metadata('robot')} WHEN 'true' THEN 'service_account' ELSE 'user' END`,
      },
      partial_key_hint: { sql: `"start" || '...' || ${metadata('last')}` },
      status: {
        sql: `CASE WHEN ${metadata('archived')} = 'true' THEN 'archived' WHEN "enabled" THEN 'active' ELSE 'inactive' END`,
      },
      workspace_id: { sql: metadata('workspace') },
    },
    filters: ['status', 'workspace_id', 'created_by_user_id'],
  },
  primaryKey: ['id'],
  row: (referenceId, key) => ({
    id: key.id,
    configId: 'default',
    referenceId,
    name: key.name === '' ? null : key.name,
    start: partsOf(key).prefix,
    key: digestOf(key.id),
    enabled: key.status === 'active',
    requestCount: 0,
    createdAt: timeOf(key.createdAt),
    updatedAt: timeOf(key.createdAt),
    metadata: JSON.stringify({
      workspace: key.workspaceId,
      creator: key.createdBy.id,
      robot: key.createdBy.type === 'service_account',
      last: partsOf(key).last,
      archived: key.status === 'archived',
      note: digestOf(key.id),
    }),
  }),
  newId: () => randomBase62(32),
  unmapped: ['configId', 'key', 'permissions', 'prefix'],
  tick: 1n,
};
