import type { DatabaseSync } from 'node:sqlite';
import type { Actor } from '../../roster/actor.ts';
import { type ImportId, newId, type OrganizationId } from '../../roster/identifier.ts';
import { type ImportResult, importResult } from '../../roster/imports.ts';
import type { ImportLine, ImportOptions, ImportRefusal } from '../../roster/roster.ts';
import { fieldsReader } from '../declared-fields.ts';
import { defineDeclaredNow } from '../record.ts';
import { settleLog } from '../write-ahead-log.ts';
import { countChanges, type OrganizationChanges } from './count-changes.ts';
import { merge } from './merge-import.ts';
import { recordImport } from './record-import.ts';
import { duplicates, refusedChanges } from './refuse-import-lines.ts';
import { dropStaging, removeStaged, STAGED_RECORD, stage } from './stage-import.ts';
import { createMissing, findOrganizations, refusedOrganizations } from './staged-organizations.ts';

/**
 * Two steps, so that only the second holds the write lock. First the source is read into a temporary table, however long
 * that takes. Then one transaction, which `inTransaction` begins and commits, merges that table into the rosters.
 */
export async function importApiKeys(
  database: DatabaseSync,
  source: AsyncIterable<readonly ImportLine[]>,
  options: ImportOptions,
  actor: Actor,
  inTransaction: (merge: () => ImportResult) => ImportResult,
): Promise<ImportResult> {
  const refused = new Map<OrganizationId | null, number>();
  let refusedInAll = 0;
  const refuse = (refusal: ImportRefusal) => {
    refusedInAll += 1;
    refused.set(refusal.organizationId, (refused.get(refusal.organizationId) ?? 0) + 1);
    options.onRefused(refusal);
  };
  const resultOf = (importId: ImportId | null, changes: readonly OrganizationChanges[]) =>
    importResult(
      importId,
      refusedInAll,
      changes.map(({ organizationId, created, staged, existing, changed }) => ({
        organizationId,
        created,
        inserted: staged - existing,
        updated: changed,
        unchanged: existing - changed,
        refused: refused.get(organizationId) ?? 0,
      })),
    );
  const { createOrganizations = false, dryRun = false, skipRefused = false, onProgress } = options;
  try {
    await stage(database, source, refuse);
    settleLog(database); // should this fill the disk
    return inTransaction(() => {
      defineDeclaredNow(database, fieldsReader(database)());
      findOrganizations(database);
      removeStaged(database, refusedOrganizations(database, STAGED_RECORD, createOrganizations), refuse);
      removeStaged(database, duplicates(database), refuse);
      removeStaged(database, refusedChanges(database), refuse);
      if (refusedInAll > 0 && !skipRefused) return resultOf(null, []);
      const changes = countChanges(database);
      if (dryRun || changes.length === 0) return resultOf(null, changes);
      if (createOrganizations) createMissing(database);
      const result = resultOf(newId<ImportId>('import'), changes);
      recordImport(database, result, actor);
      merge(database, onProgress);
      return result;
    });
  } finally {
    dropStaging(database);
  }
}
