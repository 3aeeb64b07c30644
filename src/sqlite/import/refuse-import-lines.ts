/** The staged lines of an import that must not be merged, each with the reason. */
import type { DatabaseSync } from 'node:sqlite';
import { changeFaults, duplicateOf } from '../../roster/refusals.ts';
import type { ImportRefusal } from '../../roster/roster.ts';
import { wholeRecord } from '../record.ts';
import { STAGED_AND_STORED } from './stage-import.ts';

/** The lines with the ID of an earlier line. */
export function* duplicates(database: DatabaseSync): Generator<ImportRefusal> {
  const ids = database.prepare('SELECT id, min(line) AS first FROM staged GROUP BY id HAVING count(*) > 1');
  const later = database.prepare('SELECT line, record FROM staged WHERE id = ? AND line > ? ORDER BY line');
  for (const { id, first } of ids.iterate() as unknown as Iterable<{ id: string; first: number }>) {
    const rows = later.iterate(id, first) as unknown as Iterable<{ line: number; record: string }>;
    for (const { line, record } of rows) {
      yield { line, faults: [duplicateOf(first)], source: wholeRecord(id, record) };
    }
  }
}

interface ChangedRow {
  readonly line: number;
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

/** The lines that would change what is fixed in a stored key. */
export function* refusedChanges(database: DatabaseSync, organization: number): Generator<ImportRefusal> {
  const changes = database.prepare(
    `SELECT line, staged.id, stored.record AS before, staged.record AS after
     FROM ${STAGED_AND_STORED} WHERE stored.record <> staged.record ORDER BY line`,
  );
  for (const change of changes.iterate(organization)) {
    const { line, id, before, after } = change as unknown as ChangedRow;
    const source = wholeRecord(id, after);
    const faults = changeFaults(JSON.parse(wholeRecord(id, before)), JSON.parse(source));
    if (faults.length > 0) yield { line, faults, source };
  }
}
