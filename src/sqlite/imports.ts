import type { DatabaseSync } from 'node:sqlite';
import type { OrganizationId } from '../roster/identifier.ts';
import type { ImportEntry } from '../roster/imports.ts';

export function listImports(
  database: DatabaseSync,
  organization: OrganizationId | null,
  after: ImportEntry | null,
  limit: number,
): readonly ImportEntry[] {
  const statement = database.prepare(
    `SELECT imports.id, organizations.id AS organizationId, imports.number, recorded_at AS recordedAt, actor,
       inserted, updated, unchanged, reverted_at AS revertedAt
     FROM imports JOIN organizations ON organizations.number = organization
     WHERE imports.number > ?${organization === null ? '' : ' AND organizations.id = ?'}
     ORDER BY imports.number LIMIT ?`,
  );
  statement.setReadBigInts(true);
  const values = organization === null ? [] : [organization];
  return statement.all(after?.number ?? 0, ...values, limit).map(
    row =>
      ({
        ...row,
        number: Number(row.number),
        inserted: Number(row.inserted),
        updated: Number(row.updated),
        unchanged: Number(row.unchanged),
      }) as unknown as ImportEntry,
  );
}
