import type { Client } from 'pg';
import type { ImportCounts } from '../../roster/counts.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import { changedMeanwhile } from '../../roster/refusals.ts';
import type { ImportLine, ImportOptions, ImportRefusal } from '../../roster/roster.ts';
import { requireOwnTable } from '../adoption/own-table.ts';
import { requireWritable } from '../organizations.ts';
import { compare, countChanges } from './compare-import.ts';
import { insertNew, updateChanged } from './merge-import.ts';
import { duplicates, refusedChanges } from './refuse-import-lines.ts';
import { removeStaged, stage } from './stage-import.ts';

/** To be called in a transaction: `COPY` into a temporary table, queries for the lines to refuse, then writes of the others. */
export async function importApiKeys(
  client: Client,
  organization: OrganizationId,
  source: AsyncIterable<readonly ImportLine[]>,
  options: ImportOptions,
): Promise<ImportCounts> {
  await requireOwnTable(client);
  await requireWritable(client, organization);
  let refused = 0;
  const refuse = (refusal: ImportRefusal) => {
    refused += 1;
    options.onRefused(refusal);
  };
  await stage(client, source, refuse);
  await removeStaged(client, duplicates(client), refuse);
  await compare(client, organization);
  await removeStaged(client, refusedChanges(client, organization), refuse);
  if (refused > 0 && !options.skipRefused) return { inserted: 0, updated: 0, unchanged: 0, refused };
  const counts = await countChanges(client);
  const { staged, existing, changed } = counts;
  if (options.dryRun)
    return { inserted: staged - existing, updated: changed, unchanged: existing - changed, refused };

  const merged = { client, organization, onProgress: options.onProgress };
  const inserted = await insertNew(merged, counts);
  const before = refused;
  await removeStaged(client, refusedChanges(client, organization), refuse);
  if (refused > before && !options.skipRefused) throw changedMeanwhile('API keys');
  const updated = await updateChanged(merged, inserted, counts);
  return { inserted, updated, unchanged: staged - (refused - before) - inserted - updated, refused };
}
