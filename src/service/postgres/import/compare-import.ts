/** What an import would change: the staged lines, compared with the stored keys. */
import type { Client } from 'pg';
import type { OrganizationId } from '../../../shared/record/identifier.ts';
import type { ImportChanges } from '../../roster/imports.ts';
import { columnName, numberedName, valueToPut } from '../declared-fields.ts';
import { numberOfImport } from './import-number.ts';
import { changedAndStored, type Staged, stagedAndStored } from './stage-import.ts';

type ChangeCounts = Omit<ImportChanges, 'organizationId' | 'created'>;

/** The lines whose key is stored already. A line that isn't here is new. */
const CREATE_KNOWN =
  'CREATE TEMPORARY TABLE known (line integer PRIMARY KEY, differs boolean NOT NULL) ON COMMIT DROP';

const COLUMNS = [
  'name',
  'status',
  'workspace_id',
  'partial_key_hint',
  'created_at',
  'created_by_id',
  'created_by_type',
];
/** SQL: whether a stored key differs from its staged line. */
export function differs({ fields }: Staged): string {
  const stored = [...COLUMNS, ...fields.map(columnName)].map(column => `stored.${column}`);
  const declared = fields.map(field => valueToPut(columnName(field), `staged.${numberedName(field)}`));
  const staged = [...COLUMNS.map(column => `staged.${column}`), ...declared];
  return `(${stored.join(', ')}) IS DISTINCT FROM (${staged.join(', ')})`;
}

/** Makes the table `known`. */
export async function compare(staged: Staged): Promise<void> {
  await staged.client.query(CREATE_KNOWN);
  await compareNew(staged);
}

/** Compares the lines that were new, as another transaction may have inserted their keys. Those that this one inserted stay new. */
export async function compareNew(staged: Staged): Promise<void> {
  await staged.client.query(
    `INSERT INTO known (line, differs) SELECT staged.line, ${differs(staged)} FROM ${stagedAndStored(staged)}
     WHERE stored.import IS DISTINCT FROM $1::bigint ON CONFLICT DO NOTHING`,
    [numberOfImport(staged.importId)],
  );
  await staged.client.query('ANALYZE known');
}

/** Compares the lines that differed, as another transaction may have changed their keys before they were locked. */
export async function compareLocked(staged: Staged): Promise<void> {
  await staged.client.query(`INSERT INTO known (line, differs)
    SELECT staged.line, false FROM ${changedAndStored(staged)} WHERE NOT ${differs(staged)}
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
