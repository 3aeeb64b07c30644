import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { blob, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Keyroster's own file, with a table added for the peer: Keyroster stores records as rendered text, the peer a column for each field. */
export function open(file) {
  const client = new Database(file);
  client.pragma('journal_mode = WAL');
  return { db: drizzle(client), adminKeys, apiKeys };
}

const adminKeys = sqliteTable('endpoint_admin_keys', {
  digest: blob('digest', { mode: 'buffer' }).primaryKey(),
  organizationId: text('organization_id').notNull(),
});

const apiKeys = sqliteTable('endpoint_api_keys', {
  id: text('id').primaryKey(),
  organizationId: text('organization_id').notNull(),
  name: text('name').notNull(),
  createdAt: text('created_at').notNull(),
  createdById: text('created_by_id').notNull(),
  createdByType: text('created_by_type').notNull(),
  partialKeyHint: text('partial_key_hint').notNull(),
  status: text('status').notNull(),
  workspaceId: text('workspace_id'),
});
