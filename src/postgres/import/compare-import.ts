/** What an import would change: the staged lines, compared with the stored keys. */
import type { Client } from 'pg';
import type { OrganizationId } from '../../roster/identifier.ts';
import { type Staged, stagedAndStored } from './stage-import.ts';

/** What an import would do to an organization. */
export interface ChangeCounts {
  readonly staged: number;
  /** Of the staged lines, those whose key is stored already. */
  readonly existing: number;
  /** Of the existing ones, those that differ from what is stored. */
  readonly changed: number;
}

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
const of = (table: string) => COLUMNS.map(column => `${table}.${column}`).join(', ');

export const DIFFERS = `(${of('stored')}) IS DISTINCT FROM (${of('staged')})`;

/** Makes the table `known`. */
export async function compare(staged: Staged): Promise<void> {
  await staged.client.query(CREATE_KNOWN);
  await compareNew(staged);
}

/** Compares the lines that were new, as another transaction may have inserted their keys. */
export async function compareNew(staged: Staged): Promise<void> {
  await staged.client.query(`INSERT INTO known (line, differs)
    SELECT line, ${DIFFERS} FROM ${stagedAndStored(staged)} ON CONFLICT DO NOTHING`);
  await staged.client.query('ANALYZE known');
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
