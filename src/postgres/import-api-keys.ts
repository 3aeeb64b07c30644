import type { Client } from 'pg';
import type { ImportCounts } from '../roster/counts.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import type { ImportLine, ImportOptions, ImportRefusal } from '../roster/roster.ts';
import { requireOwnTable } from './adoption/own-table.ts';
import { countChanges, merge } from './merge-import.ts';
import { findOrganization } from './organizations.ts';
import { duplicates, refusedChanges } from './refuse-import-lines.ts';
import { removeStaged, stage } from './stage-import.ts';

/** To be called in a transaction: `COPY` into a temporary table, queries for the lines to refuse, then upserts of the others. */
export async function importApiKeys(
  client: Client,
  organization: OrganizationId,
  source: AsyncIterable<readonly ImportLine[]>,
  options: ImportOptions,
): Promise<ImportCounts> {
  await requireOwnTable(client);
  await findOrganization(client, organization);
  let refused = 0;
  const refuse = (refusal: ImportRefusal) => {
    refused += 1;
    options.onRefused(refusal);
  };
  await stage(client, source, refuse);
  await removeStaged(client, duplicates(client), refuse);
  await removeStaged(client, refusedChanges(client, organization), refuse);
  if (refused > 0 && !options.skipRefused) return { inserted: 0, updated: 0, unchanged: 0, refused };
  const { staged, existing, changed } = await countChanges(client, organization);
  if (!options.dryRun) await merge(client, organization, staged, options.onProgress);
  return { inserted: staged - existing, updated: changed, unchanged: existing - changed, refused };
}
