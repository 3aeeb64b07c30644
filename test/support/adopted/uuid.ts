import { randomUUID } from 'node:crypto';
import { runSql } from '../run-sql.ts';
import { digestOf, partsOf, timeOf, type VendorTable } from './vendor-table.ts';

const SQL = `
  CREATE TABLE public.api_tokens (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id text NOT NULL,
    workspace_id text,
    name text,
    prefix text NOT NULL,
    last4 varchar(8) NOT NULL,
    secret_hash text NOT NULL,
    user_id text,
    service_account_id text,
    scopes text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    suspended_at timestamptz,
    revoked_at timestamptz,
    expires_at timestamptz,
    CHECK (num_nonnulls(user_id, service_account_id) = 1)
  )`;

const AT = '2026-01-01T00:00:00Z';

export const uuid: VendorTable = {
  name: 'uuid ID, revoked_at, prefix and last4',
  create: async url => void (await runSql(url, SQL)),
  mapping: {
    table: 'public.api_tokens',
    fields: {
      organization_id: { column: 'tenant_id' },
      id: { column: 'id' },
      name: { sql: "coalesce(name, '')" },
      created_at: { column: 'created_at' },
      created_by_id: { sql: 'coalesce(user_id, service_account_id)' },
      created_by_type: { sql: "CASE WHEN user_id IS NULL THEN 'service_account' ELSE 'user' END" },
      partial_key_hint: { sql: "prefix || '...' || last4" },
      status: {
        sql: "CASE WHEN revoked_at IS NOT NULL THEN 'archived' WHEN suspended_at IS NOT NULL THEN 'inactive' ELSE 'active' END",
        note: 'expires_at is not a status: an index cannot know the time',
      },
      workspace_id: { column: 'workspace_id' },
    },
    filters: ['status', 'workspace_id', 'created_by_user_id'],
  },
  primaryKey: ['id'],
  row: (tenant, key) => ({
    id: key.id,
    tenant_id: tenant,
    workspace_id: key.workspaceId,
    name: key.name === '' ? null : key.name,
    prefix: partsOf(key).prefix,
    last4: partsOf(key).last,
    secret_hash: digestOf(key.id),
    user_id: key.createdBy.type === 'user' ? key.createdBy.id : null,
    service_account_id: key.createdBy.type === 'service_account' ? key.createdBy.id : null,
    created_at: timeOf(key.createdAt),
    suspended_at: key.status === 'inactive' ? AT : null,
    revoked_at: key.status === 'archived' ? AT : null,
    expires_at: AT,
  }),
  newId: randomUUID,
  unmapped: ['secret_hash', 'scopes'],
  tick: 1n,
};
