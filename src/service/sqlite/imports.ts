import type { DatabaseSync } from 'node:sqlite';
import type { ImportId, OrganizationId } from '../../shared/record/identifier.ts';
import { type Timestamp, timestampOfDate } from '../../shared/record/timestamp.ts';
import {
  type ImportEntry,
  type ImportedKeys,
  type OrganizationRevert,
  planRevert,
  type RevertOptions,
} from '../roster/imports.ts';
import { alreadyReverted, unknownImport } from '../roster/refusals.ts';
import { storedStatus } from './stored-values.ts';

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

/** The import's row of an organization. */
interface Row {
  readonly number: number;
  readonly organization: number;
  readonly organizationId: OrganizationId;
  readonly inserted: number;
  readonly updated: number;
}

/** To be called in a transaction, which keeps other writers out. */
export function revertImport(
  database: DatabaseSync,
  id: ImportId,
  options: RevertOptions,
): readonly OrganizationRevert[] {
  const rows = rowsOf(database, id);
  const planned = planRevert(keysOf(database, rows), options);
  if (options.dryRun) return planned;
  // First, as a trigger refuses to delete a key whose import isn't reverted.
  const mark = database.prepare('UPDATE imports SET reverted_at = ? WHERE id = ?');
  mark.run(timestampOfDate(new Date()), id);
  const statements = [RESTORE, REMOVE, FORGET].map(statement => database.prepare(statement));
  for (const { organization, number } of rows)
    for (const statement of statements) statement.run(organization, number);
  return planned;
}

function rowsOf(database: DatabaseSync, id: ImportId): readonly Row[] {
  const reverted = database.prepare('SELECT reverted_at FROM imports WHERE id = ?');
  reverted.setReadBigInts(true);
  const found = reverted.get(id) as { reverted_at: Timestamp | null } | undefined;
  if (!found) throw unknownImport();
  if (found.reverted_at !== null) throw alreadyReverted(found.reverted_at);
  const rows = database.prepare(
    `SELECT imports.number, organization, organizations.id AS organizationId, inserted, updated
     FROM imports JOIN organizations ON organizations.number = organization WHERE imports.id = ? ORDER BY imports.number`,
  );
  return rows.all(id) as unknown as Row[];
}

function keysOf(database: DatabaseSync, rows: readonly Row[]): ImportedKeys[] {
  const count = database.prepare(COUNT);
  return rows.map(row => {
    const counts = count.get(row.organization, row.number) as Record<string, number>;
    const { left = 0, restorable = 0, changed = 0 } = counts;
    return { ...row, left, restorable, changed };
  });
}

const COUNT = `
  SELECT count(*) FILTER (WHERE import = ?2) AS left,
    count(*) FILTER (WHERE import = ?2 AND id IN (SELECT key_id FROM import_updates WHERE import = ?2)) AS restorable,
    count(*) FILTER (WHERE import = -?2) + (SELECT count(*) FROM import_updates JOIN imports ON imports.number = import
      WHERE organization = ?1 AND import_before IN (?2, -?2)) AS changed
  FROM api_keys WHERE organization = ?1 AND import IN (?2, -?2)`;

/** A stored record without its head is an object when this stands before it. */
const record = `'{"name":' || before.record`;
const STATUS = Object.entries(storedStatus).map(([status, stored]) => `WHEN '${status}' THEN ${stored}`);

/** The number of an import that is reverted lets a key be deleted, so a restored key doesn't get it as it was. */
const RESTORE = `
  UPDATE api_keys SET record = before.record, declared = before.declared,
    import = iif((SELECT reverted_at FROM imports WHERE number = before.import_before) IS NULL, 1, -1) * before.import_before,
    status = CASE json_extract(${record}, '$.status') ${STATUS.join(' ')} END,
    workspace = coalesce((SELECT number FROM workspaces WHERE workspaces.organization = api_keys.organization
      AND workspaces.id = json_extract(${record}, '$.workspace_id')), 0)
  FROM import_updates AS before
  WHERE before.import = ?2 AND api_keys.organization = ?1 AND api_keys.id = before.key_id AND api_keys.import = ?2`;

/** What is left of its keys, which it inserted. */
const REMOVE = 'DELETE FROM api_keys WHERE organization = ?1 AND import = ?2';
/** What is kept of a skipped key tells a revert of the import before that this one changed the key. */
const FORGET = `
  DELETE FROM import_updates WHERE import = ?2 AND EXISTS (SELECT 1 FROM api_keys
    WHERE organization = ?1 AND id = key_id AND abs(api_keys.import) = abs(import_before))`;
