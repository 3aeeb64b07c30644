/** The staged lines of an import that must not be merged, each with the reason. */
import type { DatabaseSync } from 'node:sqlite';
import type { OrganizationId } from '../../roster/identifier.ts';
import { changeFaults, duplicateOf } from '../../roster/refusals.ts';
import type { ImportRefusal } from '../../roster/roster.ts';
import { wholeRecord } from '../record.ts';
import { STAGED_AND_STORED } from './stage-import.ts';

/** The lines with the ID of an earlier line of their organization. */
export function* duplicates(database: DatabaseSync): Generator<ImportRefusal> {
  const ids = database.prepare(
    `SELECT organization, named.id AS organizationId, staged.id, min(line) AS first
     FROM staged JOIN staged_organizations AS named ON named.number = organization
     GROUP BY organization, staged.id HAVING count(*) > 1`,
  );
  const later = database.prepare(
    'SELECT line, record FROM staged WHERE organization = ? AND id = ? AND line > ? ORDER BY line',
  );
  for (const each of ids.iterate() as unknown as Iterable<Duplicate>) {
    const { organization, organizationId, id, first } = each;
    const rows = later.iterate(organization, id, first) as unknown as Iterable<{
      line: number;
      record: string;
    }>;
    for (const { line, record } of rows)
      yield { line, organizationId, faults: [duplicateOf(first)], source: wholeRecord(id, record) };
  }
}

interface Duplicate {
  readonly organization: number;
  readonly organizationId: OrganizationId;
  readonly id: string;
  readonly first: number;
}

interface ChangedRow {
  readonly line: number;
  readonly organizationId: OrganizationId;
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

/** The lines that would change what is fixed in a stored key. */
export function* refusedChanges(database: DatabaseSync): Generator<ImportRefusal> {
  const changes = database.prepare(
    `SELECT line, named.id AS organizationId, staged.id, stored.record AS before, staged.record AS after
     FROM ${STAGED_AND_STORED} WHERE stored.record <> staged.record ORDER BY line`,
  );
  for (const change of changes.iterate() as unknown as Iterable<ChangedRow>) {
    const { line, organizationId, id, before, after } = change;
    const source = wholeRecord(id, after);
    const faults = changeFaults(JSON.parse(wholeRecord(id, before)), JSON.parse(source));
    if (faults.length > 0) yield { line, organizationId, faults, source };
  }
}
