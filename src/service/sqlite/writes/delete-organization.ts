import type { DatabaseSync } from 'node:sqlite';
import type { OrganizationId } from '../../../shared/record/identifier.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import { type DeletionStep, type OrganizationContents, ROWS_PER_STEP } from '../../roster/organization.ts';
import { unknownOrganization } from '../../roster/writes/refusals.ts';
import { findOrganization } from './organizations.ts';

export function findContents(database: DatabaseSync, id: OrganizationId): OrganizationContents {
  findOrganization(database, id);
  const counts = database.prepare(
    `SELECT (SELECT count(*) FROM api_keys WHERE organization = number) AS apiKeys,
       (SELECT count(*) FROM admin_keys WHERE organization = number) AS adminKeys
     FROM organizations WHERE id = ?`,
  );
  return { ...counts.get(id) } as unknown as OrganizationContents;
}

/**
 * To be called in a transaction, for which the foreign keys are off: no index has the creator alone, so SQLite would look through all
 * API keys of the store for each creator that is deleted.
 */
export function deleteNext(database: DatabaseSync, id: OrganizationId, at: Timestamp): DeletionStep {
  const organization = database.prepare('SELECT number, deleted_at FROM organizations WHERE id = ?').get(id);
  if (!organization) throw unknownOrganization();
  const number = organization.number as number;
  const step = { begun: false, apiKeys: 0, after: null, done: false };
  if (organization.deleted_at === null) {
    database
      .prepare(
        'UPDATE organizations SET deleted_at = ?1, disabled_at = coalesce(disabled_at, ?1) WHERE number = ?2',
      )
      .run(at, number);
    return { ...step, begun: true };
  }
  for (const [table, statement] of Object.entries(DELETE_SOME)) {
    const deleted = Number(database.prepare(statement).run(number, ROWS_PER_STEP).changes);
    if (deleted > 0) return { ...step, apiKeys: table === 'api_keys' ? deleted : 0 };
  }
  database.prepare('DELETE FROM organizations WHERE number = ?').run(number);
  return { ...step, done: true };
}

const numbered = (table: 'imports' | 'workspaces' | 'creators') =>
  `DELETE FROM ${table} WHERE number IN (SELECT number FROM ${table} WHERE organization = ?1 LIMIT ?2)`;

/** In this order: what is referred to goes last. */
const DELETE_SOME = {
  api_keys: `DELETE FROM api_keys WHERE organization = ?1 AND (created_at, id) IN
    (SELECT created_at, id FROM api_keys WHERE organization = ?1 ORDER BY created_at, id LIMIT ?2)`,
  import_statuses: `DELETE FROM import_statuses WHERE (import, key_id) IN (SELECT import, key_id FROM imports
    JOIN import_statuses ON import = number WHERE organization = ?1 LIMIT ?2)`,
  imports: numbered('imports'),
  workspaces: numbered('workspaces'),
  creators: numbered('creators'),
  admin_keys: `DELETE FROM admin_keys WHERE digest IN
    (SELECT digest FROM admin_keys WHERE organization = ?1 LIMIT ?2)`,
};
