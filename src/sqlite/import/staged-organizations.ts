/**
 * The organizations that the lines of an import name, in a temporary table. They are looked up in the transaction that merges: one
 * may be deleted while the source is read, and its number be another's then.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { OrganizationId } from '../../roster/identifier.ts';
import { timestampOfDate } from '../../roster/timestamp.ts';

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
