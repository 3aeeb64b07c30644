/** Records an import, and what it updates, so that it can be taken back. */
import type { DatabaseSync } from 'node:sqlite';
import type { Actor } from '../../roster/actor.ts';
import type { ImportResult } from '../../roster/imports.ts';
import { timestampOfDate } from '../../roster/timestamp.ts';
import { STAGED_AND_STORED } from './stage-import.ts';

/** To be called after the organizations are there, and before the lines are merged. */
export function recordImport(
  database: DatabaseSync,
  { importId, organizations, updated }: ImportResult,
  actor: Actor,
): void {
  const insert = database.prepare(
    `INSERT INTO imports (id, organization, recorded_at, actor, inserted, updated, unchanged)
     SELECT ?1, stored, ?2, ?3, ?4, ?5, ?6 FROM staged_organizations WHERE id = ?7`,
  );
  const now = timestampOfDate(new Date());
  for (const { organizationId, inserted, updated, unchanged } of organizations)
    insert.run(importId, now, actor, inserted, updated, unchanged, organizationId);
  database
    .prepare(
      `UPDATE staged_organizations SET import = imports.number FROM imports
       WHERE imports.id = ? AND imports.organization = stored`,
    )
    .run(importId);
  if (updated > 0) database.exec(KEEP_UPDATED);
}

const KEEP_UPDATED = `
  INSERT INTO import_updates (import, key_id, record, declared, import_before)
  SELECT named.import, stored.id, stored.record, stored.declared, stored.import
  FROM ${STAGED_AND_STORED} WHERE stored.record <> staged.record`;
