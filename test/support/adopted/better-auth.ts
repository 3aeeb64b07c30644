import { randomBytes } from 'node:crypto';
import { newPool } from '../connect.ts';
import type { MappingFile } from './vendor-table.ts';

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
