/** The rows of table.sql, for store.test.mjs: change them for your table. */
import { randomBytes } from 'node:crypto';

export const TABLE = 'api_keys';

/** The organization and the record as the table keeps them. It keeps everything. */
export const kept = (organization, record) => [organization, record];

export const rowOf = (account_id, record) => ({
  ...{ id: record.id, account_id, project_id: record.workspace_id, name: record.name },
  ...{ hint: record.partial_key_hint, key_hash: randomBytes(32) },
  ...{ created_by: record.created_by.id, created_by_type: record.created_by.type },
  enabled: record.status === 'active',
  revoked_at: record.status === 'archived' ? '2026-01-01' : null,
});
