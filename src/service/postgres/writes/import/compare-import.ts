/** What an import would change: the staged lines, compared with the stored keys. */
import type { Client } from 'pg';
import type { OrganizationId } from '../../../../shared/record/identifier.ts';
import type { ImportChanges } from '../../../roster/writes/imports.ts';
import { type Column, list } from '../../columns.ts';
import { valueToPut } from '../../declared-fields.ts';
import { numberOfImport } from './import-number.ts';
import { changedAndStored, type Staged, stagedAndStored } from './stage-import.ts';

type ChangeCounts = Omit<ImportChanges, 'organizationId' | 'created'>;

/** The lines whose key is stored already. A line that isn't here is new. */
const CREATE_KNOWN =
  'CREATE TEMPORARY TABLE known (line integer PRIMARY KEY, differs boolean NOT NULL) ON COMMIT DROP';

/** SQL: whether a stored key differs from its staged line in one of these columns. */
export function differs(columns: readonly Column[]): string {
  const stored = list(columns, ({ name }) => `stored.${name}`);
  const staged = list(columns, ({ name, given }) => valueToPut(name, `staged.${given}`));
  return `(${stored}) IS DISTINCT FROM (${staged})`;
}

/** Makes the table `known`. */
export async function compare(staged: Staged): Promise<void> {
  await staged.client.query(CREATE_KNOWN);
  await compareNew(staged);
}

/** Compares the lines that were new, as another transaction may have inserted their keys. Those that this one inserted stay new. */
export async function compareNew(staged: Staged): Promise<void> {
  await staged.client.query(
    `INSERT INTO known (line, differs) SELECT staged.line, ${differs(staged.columns)} FROM ${stagedAndStored(staged)}
     WHERE stored.import IS DISTINCT FROM $1::bigint ON CONFLICT DO NOTHING`,
    [numberOfImport(staged.importId)],
  );
  await staged.client.query('ANALYZE known');
}

/** Compares the lines that differed, as another transaction may have changed their keys before they were locked. */
export async function compareLocked(staged: Staged): Promise<void> {
  await staged.client.query(`INSERT INTO known (line, differs)
    SELECT staged.line, false FROM ${changedAndStored(staged)} WHERE NOT ${differs(staged.columns)}
    ON CONFLICT (line) DO UPDATE SET differs = false`);
}

/** Of each organization with staged lines. */
export async function countChanges(client: Client): Promise<Map<OrganizationId, ChangeCounts>> {
  const text = `SELECT organization_id, count(*) AS staged, count(known.line) AS existing,
      count(*) FILTER (WHERE differs) AS changed
    FROM staged LEFT JOIN known USING (line) GROUP BY organization_id`;
  const { rows } = await client.query<
    { organization_id: OrganizationId } & Record<keyof ChangeCounts, string>
  >(text);
  return new Map(
    rows.map(({ organization_id, staged, existing, changed }) => [
      organization_id,
      { staged: Number(staged), existing: Number(existing), changed: Number(changed) },
    ]),
  );
}
