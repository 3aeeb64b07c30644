import type { DatabaseSync } from 'node:sqlite';
import type { ImportCounts } from '../../roster/counts.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import type { ImportLine, ImportOptions, ImportRefusal } from '../../roster/roster.ts';
import { organizationNumber } from '../organizations.ts';
import { countChanges, merge } from './merge-import.ts';
import { duplicates, refusedChanges } from './refuse-import-lines.ts';
import { dropStaging, removeStaged, stage } from './stage-import.ts';

/**
 * Two steps, so that only the second holds the write lock. First the source is read into a temporary table, however long
 * that takes. Then one transaction, which `inTransaction` begins and commits, merges that table into the roster.
 */
export async function importApiKeys(
  database: DatabaseSync,
  organizationId: OrganizationId,
  source: AsyncIterable<readonly ImportLine[]>,
  options: ImportOptions,
  inTransaction: (merge: () => ImportCounts) => ImportCounts,
): Promise<ImportCounts> {
  organizationNumber(database, organizationId);
  let refused = 0;
  const refuse = (refusal: ImportRefusal) => {
    refused += 1;
    options.onRefused(refusal);
  };
  try {
    await stage(database, source, refuse);
    return inTransaction(() => {
      const organization = organizationNumber(database, organizationId); // it may be deleted while the source is read
      removeStaged(database, duplicates(database), refuse);
      removeStaged(database, refusedChanges(database, organization), refuse);
      if (refused > 0 && !options.skipRefused) return { inserted: 0, updated: 0, unchanged: 0, refused };
      const { staged, existing, changed } = countChanges(database, organization);
      if (!options.dryRun) merge(database, organization, options.onProgress);
      return { inserted: staged - existing, updated: changed, unchanged: existing - changed, refused };
    });
  } finally {
    dropStaging(database);
  }
}
