import type { DatabaseSync } from 'node:sqlite';
import { type ImportId, newId } from '../../../../shared/record/identifier.ts';
import type { Actor } from '../../../roster/actor.ts';
import {
  type ImportLine,
  type ImportOptions,
  type ImportResult,
  ImportTally,
} from '../../../roster/writes/imports.ts';
import { defineDeclared } from '../../record.ts';
import { settleLog } from '../../write-ahead-log.ts';
import { fieldsReader } from '../change-fields.ts';
import { countChanges, merge, recordImport } from './merge-import.ts';
import { duplicates, refusedChanges, refusedOrganizations } from './refuse-import-lines.ts';
import { createMissing, dropStaging, findOrganizations, removeStaged, stage } from './stage-import.ts';

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
  const { createOrganizations = false, dryRun = false, skipRefused = false, onProgress, onRefused } = options;
  const tally = new ImportTally(onRefused);
  try {
    await stage(database, source, tally.refuse);
    settleLog(database); // should this fill the disk
    return inTransaction(() => {
      defineDeclared(database, fieldsReader(database)());
      findOrganizations(database);
      removeStaged(database, refusedOrganizations(database, createOrganizations), tally.refuse);
      removeStaged(database, duplicates(database), tally.refuse);
      removeStaged(database, refusedChanges(database), tally.refuse);
      if (tally.refused > 0 && !skipRefused) return tally.resultOf(null, []);
      const changes = countChanges(database);
      if (dryRun || changes.length === 0) return tally.resultOf(null, changes);
      if (createOrganizations) createMissing(database);
      const result = tally.resultOf(newId<ImportId>('import'), changes);
      recordImport(database, result, actor);
      merge(database, onProgress);
      return result;
    });
  } finally {
    dropStaging(database);
  }
}
