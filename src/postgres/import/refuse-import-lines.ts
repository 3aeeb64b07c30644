/** The staged lines of an import that must not be merged, each with the reason. */
import { FORBIDDEN_TRANSITIONS } from '../../roster/api-key.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import { changeFaults, duplicateOf } from '../../roster/refusals.ts';
import type { ImportRefusal } from '../../roster/imports.ts';
import { storedStatus } from '../stored-values.ts';
import { batches } from './batches.ts';
import { IS_CHANGED } from './compare-import.ts';
import { type Staged, stagedAndStored } from './stage-import.ts';

const DUPLICATES = `
  SELECT line, organization_id, first, record
  FROM staged JOIN (
    SELECT organization_id, id, min(line) AS first FROM staged GROUP BY organization_id, id HAVING count(*) > 1
  ) AS twice USING (organization_id, id)
  WHERE line > first ORDER BY line`;

/** The lines with the ID of an earlier line of their organization. */
export async function* duplicates({ client }: Staged): AsyncGenerator<ImportRefusal[]> {
  for await (const rows of batches<Line & { first: string; record: string }>(client, DUPLICATES)) {
    yield rows.map(({ line, organization_id, first, record }) => ({
      line: Number(line),
      organizationId: organization_id,
      faults: [duplicateOf(Number(first))],
      source: record,
    }));
  }
}

const forbidden = FORBIDDEN_TRANSITIONS.map(
  ({ from, to }) => `('${storedStatus[from]}', '${storedStatus[to]}')`,
);

/** Everything that `changeFaults` refuses, so that only refused lines are fetched. */
const IS_REFUSED = `(stored.created_at, stored.created_by_id, stored.created_by_type)
    IS DISTINCT FROM (staged.created_at, staged.created_by_id, staged.created_by_type)
    OR (stored.status, staged.status) IN (${forbidden})`;

/** The lines that would change what is fixed in a stored key, of those that differ from it (`compare-import.ts`). */
export async function* refusedChanges(staged: Staged): AsyncGenerator<ImportRefusal[]> {
  const text = `SELECT staged.line, staged.organization_id, stored.record AS before, staged.record AS after
    FROM ${stagedAndStored(staged)} WHERE ${IS_CHANGED} AND (${IS_REFUSED}) ORDER BY staged.line`;
  for await (const rows of batches<Line & { before: string; after: string }>(staged.client, text)) {
    yield rows.map(({ line, organization_id, before, after }) => ({
      line: Number(line),
      organizationId: organization_id,
      faults: changeFaults(JSON.parse(before), JSON.parse(after)),
      source: after,
    }));
  }
}

interface Line {
  readonly line: string;
  readonly organization_id: OrganizationId;
}
