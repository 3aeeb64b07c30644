/** The staged lines of an import that must not be merged, each with the reason. */
import type { DatabaseSync } from 'node:sqlite';
import type { Fault } from '../../../../shared/record/faults.ts';
import type { OrganizationId } from '../../../../shared/record/identifier.ts';
import type { ImportRefusal } from '../../../roster/writes/imports.ts';
import { changeFaults, duplicateOf, organizationFault } from '../../../roster/writes/refusals.ts';
import { STAGED_AND_STORED, STAGED_RECORD, STORED_DIFFERS } from './stage-import.ts';

/** A line of `staged`, and of `named`, its organization. */
const LINE = `staged.line, named.id AS organizationId, ${STAGED_RECORD} AS record`;

interface Line {
  readonly line: number;
  readonly organizationId: OrganizationId;
  readonly record: string;
}

function* refusedOf<More extends object>(
  database: DatabaseSync,
  sql: string,
  faultsOf: (line: Line & More) => readonly Fault[],
): Generator<ImportRefusal> {
  for (const row of database.prepare(sql).iterate() as unknown as Iterable<Line & More>) {
    const { line, organizationId, record } = row;
    const faults = faultsOf(row);
    if (faults.length > 0) yield { line, organizationId, faults, source: record };
  }
}

/** The lines of organizations that are being deleted, or that there aren't, unless these are to be created. */
export function* refusedOrganizations(
  database: DatabaseSync,
  createsMissing: boolean,
): Generator<ImportRefusal> {
  const isRefused = `deleted${createsMissing ? '' : ' OR stored IS NULL'}`;
  if (!database.prepare(`SELECT 1 FROM staged_organizations WHERE ${isRefused}`).get()) return;
  const sql = `SELECT ${LINE}, deleted FROM staged JOIN staged_organizations AS named ON named.number = organization
    WHERE ${isRefused} ORDER BY line`;
  yield* refusedOf<{ deleted: number }>(database, sql, ({ organizationId, deleted }) => [
    organizationFault(organizationId, deleted ? 'being deleted' : 'unknown'),
  ]);
}

/** The lines with the ID of an earlier line of their organization. */
export function duplicates(database: DatabaseSync): Generator<ImportRefusal> {
  const sql = `SELECT ${LINE}, first
    FROM (SELECT organization, id, min(line) AS first FROM staged GROUP BY organization, id HAVING count(*) > 1) AS twice
    CROSS JOIN staged ON staged.organization = twice.organization AND staged.id = twice.id AND staged.line > first
    CROSS JOIN staged_organizations AS named ON named.number = staged.organization`;
  return refusedOf<{ first: number }>(database, sql, ({ first }) => [duplicateOf(first)]);
}

/** The lines that would change what is fixed in a stored key. */
export function refusedChanges(database: DatabaseSync): Generator<ImportRefusal> {
  const sql = `SELECT ${LINE}, stored.record AS before FROM ${STAGED_AND_STORED} WHERE ${STORED_DIFFERS} ORDER BY line`;
  return refusedOf<{ before: string }>(database, sql, ({ before, record }) =>
    changeFaults(JSON.parse(before), JSON.parse(record)),
  );
}
