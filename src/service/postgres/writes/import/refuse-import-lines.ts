/** The staged lines of an import that must not be merged, each with the reason. */

import type { Fault } from '../../../../shared/record/faults.ts';
import type { OrganizationId } from '../../../../shared/record/identifier.ts';
import { FORBIDDEN_TRANSITIONS } from '../../../../shared/record/status.ts';
import type { StoredOrganization } from '../../../roster/organization.ts';
import type { ImportRefusal } from '../../../roster/writes/imports.ts';
import { changeFaults, duplicateOf, organizationFault } from '../../../roster/writes/refusals.ts';
import { idList } from '../../statements.ts';
import { storedStatus } from '../../stored-values.ts';
import { differs } from './compare-import.ts';
import { changedAndStored, type Staged } from './stage-import.ts';

/** A file may have any number of lines to refuse, so they aren't fetched at once. */
const BATCH_ROWS = 1_000;

interface Line {
  readonly line: string;
  readonly organization_id: OrganizationId;
  readonly record: string;
}

/** The lines of this query, as they are when it begins. */
async function* refusedOf<More extends object>(
  { client }: Staged,
  sql: string,
  values: readonly string[],
  faultsOf: (line: Line & More) => readonly Fault[],
): AsyncGenerator<ImportRefusal[]> {
  await client.query(`DECLARE refused NO SCROLL CURSOR FOR ${sql}`, [...values]);
  for (;;) {
    const { rows } = await client.query<Line & More>(`FETCH ${BATCH_ROWS} FROM refused`);
    if (rows.length === 0) break;
    yield rows.map(row => ({
      line: Number(row.line),
      organizationId: row.organization_id,
      faults: faultsOf(row),
      source: row.record,
    }));
  }
  await client.query('CLOSE refused');
}

/** The lines of organizations that are being deleted, or that there aren't, unless these are to be created. */
export async function* refusedOrganizations(
  staged: Staged,
  stored: ReadonlyMap<OrganizationId, StoredOrganization>,
  createsMissing: boolean,
): AsyncGenerator<ImportRefusal[]> {
  const isRefused = (organization: StoredOrganization | undefined) =>
    organization ? organization.deletedAt !== null : !createsMissing;
  const ids = staged.organizations.filter(id => isRefused(stored.get(id)));
  if (ids.length === 0) return;
  const sql = `SELECT line, organization_id, record FROM staged
    WHERE organization_id IN (SELECT unnest(string_to_array($1::text, ' '))) ORDER BY line`;
  yield* refusedOf(staged, sql, [idList(ids)], ({ organization_id: id }) => [
    organizationFault(id, stored.has(id) ? 'being deleted' : 'unknown'),
  ]);
}

const DUPLICATES = `
  SELECT line, organization_id, first, record
  FROM staged JOIN (
    SELECT organization_id, id, min(line) AS first FROM staged GROUP BY organization_id, id HAVING count(*) > 1
  ) AS twice USING (organization_id, id)
  WHERE line > first ORDER BY line`;

/** The lines with the ID of an earlier line of their organization. */
export function duplicates(staged: Staged): AsyncGenerator<ImportRefusal[]> {
  return refusedOf<{ first: string }>(staged, DUPLICATES, [], ({ first }) => [duplicateOf(Number(first))]);
}

const forbidden = FORBIDDEN_TRANSITIONS.map(
  ({ from, to }) => `('${storedStatus[from]}', '${storedStatus[to]}')`,
);

/** The lines that would change what is fixed in a stored key, of those that differ from it (`compare-import.ts`). */
export function refusedChanges(staged: Staged): AsyncGenerator<ImportRefusal[]> {
  const fixed = staged.columns.filter(({ changes }) => !changes);
  // Everything that `changeFaults` refuses, so that only refused lines are fetched.
  const isRefused = `${differs(fixed)} OR (stored.status, staged.status) IN (${forbidden})`;
  const sql = `SELECT staged.line, staged.organization_id, stored.record AS before, staged.record
    FROM ${changedAndStored(staged)} WHERE ${isRefused} ORDER BY staged.line`;
  return refusedOf<{ before: string }>(staged, sql, [], ({ before, record }) =>
    changeFaults(JSON.parse(before), JSON.parse(record)),
  );
}
