import type { Client } from 'pg';
import type { Actor } from '../../roster/actor.ts';
import { type ImportId, newId, type OrganizationId } from '../../roster/identifier.ts';
import { type ImportResult, importResult, type OrganizationImport } from '../../roster/imports.ts';
import { changedMeanwhile } from '../../roster/refusals.ts';
import type { ImportLine, ImportOptions, ImportRefusal } from '../../roster/roster.ts';
import { requireOwnTable } from '../adoption/own-table.ts';
import { lookAgain } from '../look-again.ts';
import { type ChangeCounts, compare, countChanges } from './compare-import.ts';
import { insertNew, type Merge, updateChanged } from './merge-import.ts';
import { keepUpdated, newImportNumber, recordImport } from './record-import.ts';
import { duplicates, refusedChanges } from './refuse-import-lines.ts';
import { removeStaged, stage } from './stage-import.ts';
import { createMissing, findOrganizations, refusedOrganizations } from './staged-organizations.ts';

/** To be called in a transaction: `COPY` into a temporary table, queries for the lines to refuse, then writes of the others. */
export async function importApiKeys(
  client: Client,
  source: AsyncIterable<readonly ImportLine[]>,
  { createOrganizations = false, dryRun = false, skipRefused = false, onRefused, onProgress }: ImportOptions,
  actor: Actor,
): Promise<ImportResult> {
  await requireOwnTable(client);
  const refused = new Map<OrganizationId | null, number>();
  let refusedInAll = 0;
  const refuse = (refusal: ImportRefusal) => {
    refusedInAll += 1;
    refused.set(refusal.organizationId, (refused.get(refusal.organizationId) ?? 0) + 1);
    onRefused(refusal);
  };
  const staged = await stage(client, source, refuse);
  const states = await findOrganizations(staged);
  await removeStaged(client, refusedOrganizations(staged, states, createOrganizations), refuse);
  await removeStaged(client, duplicates(staged), refuse);
  await compare(staged);
  await removeStaged(client, refusedChanges(staged), refuse);
  if (refusedInAll > 0 && !skipRefused) return importResult(null, refusedInAll, []);

  const counts = await countChanges(client);
  const isImportedTo = (id: OrganizationId) => counts.has(id) || states.get(id) === 'there';
  const organizations = staged.organizations.filter(isImportedTo);
  const missing = organizations.filter(id => states.get(id) === 'missing');
  const resultOf = (
    importId: ImportId | null,
    created: ReadonlySet<OrganizationId>,
    written: (id: OrganizationId, counts: ChangeCounts) => Written,
  ) =>
    importResult(
      importId,
      refusedInAll,
      organizations.map(organizationId => ({
        organizationId,
        created: created.has(organizationId),
        ...written(organizationId, counts.get(organizationId) ?? NONE),
        refused: refused.get(organizationId) ?? 0,
      })),
    );
  if (dryRun || organizations.length === 0)
    return resultOf(null, new Set(missing), (_, { staged, existing, changed }) => ({
      inserted: staged - existing,
      updated: changed,
      unchanged: existing - changed,
    }));

  const created = await createMissing(client, missing);
  const merge: Merge = { staged, number: newImportNumber(), ...sumOf(counts.values()), onProgress };
  const inserted = await insertNew(merge);
  const refusedBefore = new Map(refused);
  await removeStaged(client, refusedChanges(staged), refuse);
  if (refusedInAll > sum(refusedBefore.values()) && !skipRefused) throw changedMeanwhile('API keys');
  await keepUpdated(staged, merge.number);
  const updated = await updateChanged(merge, sum(inserted.values()));
  const result = resultOf(newId<ImportId>('import'), created, (id, { staged }) => {
    const written = { inserted: inserted.get(id) ?? 0, updated: updated.get(id) ?? 0 };
    const refusedSince = (refused.get(id) ?? 0) - (refusedBefore.get(id) ?? 0);
    return { ...written, unchanged: staged - refusedSince - written.inserted - written.updated };
  });
  await recordImport(client, result, merge.number, actor);
  await lookAgain(client, organizations);
  return result;
}

type Written = Pick<OrganizationImport, 'inserted' | 'updated' | 'unchanged'>;

const NONE: ChangeCounts = { staged: 0, existing: 0, changed: 0 };

function sumOf(counts: Iterable<ChangeCounts>): { isNew: number; changed: number } {
  const all = [...counts];
  return {
    isNew: sum(all.map(({ staged, existing }) => staged - existing)),
    changed: sum(all.map(({ changed }) => changed)),
  };
}

function sum(numbers: Iterable<number>): number {
  return Array.from(numbers).reduce((total, each) => total + each, 0);
}
