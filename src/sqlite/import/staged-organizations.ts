/**
 * The organizations that the lines of an import name, in a temporary table. They are looked up in the transaction that merges: one
 * may be deleted while the source is read, and its number be another's then.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { OrganizationId } from '../../roster/identifier.ts';
import { organizationFault } from '../../roster/refusals.ts';
import type { ImportRefusal } from '../../roster/roster.ts';
import { timestampOfDate } from '../../roster/timestamp.ts';
import { wholeRecord } from '../record.ts';

/** `stored` is the organization's number in the store, `import` that of the import. */
export const CREATE_STAGED_ORGANIZATIONS = `
  CREATE TEMPORARY TABLE staged_organizations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    stored INTEGER,
    deleted INTEGER NOT NULL DEFAULT 0,
    import INTEGER NOT NULL DEFAULT 0
  ) STRICT`;

/** Returns the function that numbers organizations from 1, in the order in which they are named. */
export function organizationNumbering(database: DatabaseSync): (id: OrganizationId) => number {
  const insert = database.prepare('INSERT INTO staged_organizations (number, id) VALUES (?, ?)');
  const numbers = new Map<OrganizationId, number>();
  return id => {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    const number = numbers.size + 1;
    numbers.set(id, number);
    insert.run(number, id);
    return number;
  };
}

export function findOrganizations(database: DatabaseSync): void {
  database.exec(`UPDATE staged_organizations SET stored = found.number, deleted = found.deleted_at IS NOT NULL
    FROM organizations AS found WHERE found.id = staged_organizations.id`);
}

/** The lines of organizations that are being deleted, or that there aren't, unless these are to be created. */
/** @param record SQL of the record of a staged line. */
export function* refusedOrganizations(
  database: DatabaseSync,
  record: string,
  createsMissing: boolean,
): Generator<ImportRefusal> {
  const isRefused = `deleted${createsMissing ? '' : ' OR stored IS NULL'}`;
  if (!database.prepare(`SELECT 1 FROM staged_organizations WHERE ${isRefused}`).get()) return;
  const lines = database.prepare(
    `SELECT line, staged.id, ${record} AS record, named.id AS organizationId, deleted
     FROM staged JOIN staged_organizations AS named ON named.number = organization WHERE ${isRefused} ORDER BY line`,
  );
  for (const row of lines.iterate() as unknown as Iterable<RefusedRow>) {
    const { line, id, record, organizationId, deleted } = row;
    const fault = organizationFault(organizationId, deleted ? 'being deleted' : 'unknown');
    yield { line, organizationId, faults: [fault], source: wholeRecord(id, record) };
  }
}

interface RefusedRow {
  readonly line: number;
  readonly id: string;
  readonly record: string;
  readonly organizationId: OrganizationId;
  readonly deleted: number;
}

/** Creates those that lines are staged of. The name of each is its ID. */
export function createMissing(database: DatabaseSync): void {
  const missing = 'stored IS NULL AND number IN (SELECT organization FROM staged)';
  database
    .prepare(
      `INSERT INTO organizations (id, name, created_at) SELECT id, id, ? FROM staged_organizations WHERE ${missing}`,
    )
    .run(timestampOfDate(new Date()));
  findOrganizations(database);
}
