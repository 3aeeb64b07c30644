import { drizzle } from 'drizzle-orm/node-postgres';
import { customType, pgSchema, text, timestamp } from 'drizzle-orm/pg-core';

/** Keyroster's own tables, over Drizzle's connection pool. */
export function open(url) {
  return { db: drizzle(url), adminKeys, apiKeys };
}

const keyroster = pgSchema('keyroster');
const bytea = customType({ dataType: () => 'bytea' });

const adminKeys = keyroster.table('admin_keys', {
  digest: bytea('digest').primaryKey(),
  organizationId: text('organization_id').notNull(),
});

const apiKeys = keyroster.table('api_keys', {
  id: text('id').notNull(),
  organizationId: text('organization_id').notNull(),
  name: text('name').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  createdById: text('created_by_id').notNull(),
  createdByType: text('created_by_type').notNull(),
  partialKeyHint: text('partial_key_hint').notNull(),
  status: text('status').notNull(),
  workspaceId: text('workspace_id'),
});
