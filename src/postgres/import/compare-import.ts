/** What an import would change: the staged lines, compared with the stored keys. */
import type { Client } from 'pg';
import type { OrganizationId } from '../../roster/identifier.ts';
import { STAGED_AND_STORED } from './stage-import.ts';

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

const INSERT_KNOWN = `
  INSERT INTO known (line, differs)
  SELECT line, (${of('stored')}) IS DISTINCT FROM (${of('staged')}) FROM ${STAGED_AND_STORED}
  ON CONFLICT DO NOTHING`;

/** Makes the table `known`. */
export async function compare(client: Client, organization: OrganizationId): Promise<void> {
  await client.query(CREATE_KNOWN);
  await compareNew(client, organization);
}

/** Compares the lines that were new, as another transaction may have inserted their keys. */
export async function compareNew(client: Client, organization: OrganizationId): Promise<void> {
  await client.query(INSERT_KNOWN, [organization]);
  await client.query('ANALYZE known');
}

export async function countChanges(client: Client): Promise<ChangeCounts> {
  const text = `SELECT count(*) AS staged, count(known.line) AS existing, count(*) FILTER (WHERE differs) AS changed
    FROM staged LEFT JOIN known USING (line)`;
  const { rows } = await client.query<Record<keyof ChangeCounts, string>>(text);
  const { staged = 0, existing = 0, changed = 0 } = rows[0] ?? {};
  return { staged: Number(staged), existing: Number(existing), changed: Number(changed) };
}
