import type { Client } from 'pg';
import type { OrganizationId } from '../../../../shared/record/identifier.ts';
import type { Actor } from '../../../roster/actor.ts';
import {
  type ImportLine,
  type ImportOptions,
  type ImportResult,
  ImportTally,
} from '../../../roster/writes/imports.ts';
import { changedMeanwhile } from '../../../roster/writes/refusals.ts';
import { requireOwnTable } from '../../vendor-table/own-table.ts';
import { lookAgain } from '../look-again.ts';
import { createMissing, organizationsWith } from '../organizations.ts';
import { compare, compareLocked, countChanges } from './compare-import.ts';
import { insertNew, keepStatuses, type Merge, recordImport, updateChanged } from './merge-import.ts';
import { duplicates, refusedChanges, refusedOrganizations } from './refuse-import-lines.ts';
import { removeStaged, stage } from './stage-import.ts';

/** To be called in a transaction: `COPY` into a temporary table, queries for the lines to refuse, then writes of the others. */
export async function importApiKeys(
  client: Client,
  source: AsyncIterable<readonly ImportLine[]>,
  { createOrganizations = false, dryRun = false, skipRefused = false, onRefused, onProgress }: ImportOptions,
  actor: Actor,
): Promise<ImportResult> {
  await requireOwnTable(client);
  const tally = new ImportTally(onRefused);
  const staged = await stage(client, source, tally.refuse);
  const stored = await organizationsWith(client, staged.organizations);
  await removeStaged(client, refusedOrganizations(staged, stored, createOrganizations), tally.refuse);
  await removeStaged(client, duplicates(staged), tally.refuse);
  await compare(staged);
  await removeStaged(client, refusedChanges(staged), tally.refuse);
  if (tally.refused > 0 && !skipRefused) return tally.resultOf(null, []);

  const counts = await countChanges(client);
  const organizations = staged.organizations.filter(
    id => counts.has(id) || stored.get(id)?.deletedAt === null,
  );
  const missing = organizations.filter(id => !stored.has(id));
  const changesBy = (counted: typeof counts, created: ReadonlySet<OrganizationId>) =>
    organizations.map(organizationId => ({
      organizationId,
      created: created.has(organizationId),
      ...(counted.get(organizationId) ?? { staged: 0, existing: 0, changed: 0 }),
    }));
  const planned = changesBy(counts, new Set(missing));
  if (dryRun || organizations.length === 0) return tally.resultOf(null, planned);

  const created = await createMissing(client, missing);
  const { inserted, updated } = tally.resultOf(null, planned);
  const merge: Merge = { staged, isNew: inserted, changed: updated, onProgress };
  await insertNew(merge);
  const refusedBefore = tally.refused;
  await removeStaged(client, refusedChanges(staged), tally.refuse);
  if (tally.refused > refusedBefore && !skipRefused) throw changedMeanwhile();
  await compareLocked(staged);
  const result = tally.resultOf(staged.importId, changesBy(await countChanges(client), created));
  await keepStatuses(staged);
  await updateChanged({ ...merge, changed: result.updated });
  await recordImport(staged, result, actor);
  await lookAgain(client, organizations);
  return result;
}
