import type { DatabaseSync } from 'node:sqlite';
import type { ImportId, OrganizationId } from '../roster/identifier.ts';
import {
  type ChangedKey,
  MAX_NAMED_CHANGES,
  type OrganizationRevert,
  type RevertOptions,
} from '../roster/imports.ts';
import { alreadyReverted, changedSince, unknownImport } from '../roster/refusals.ts';
import { type Timestamp, timestampOfDate } from '../roster/timestamp.ts';
import { storedStatus } from './stored-values.ts';

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
  { dryRun = false }: RevertOptions,
): readonly OrganizationRevert[] {
  const rows = rowsOf(database, id);
  requireUnchanged(database, rows);
  if (!dryRun) {
    // First, as a trigger refuses to delete a key whose import isn't reverted.
    const mark = database.prepare('UPDATE imports SET reverted_at = ? WHERE id = ?');
    mark.run(timestampOfDate(new Date()), id);
    const [restore, remove, forget] = [RESTORE, REMOVE, FORGET].map(sql => database.prepare(sql));
    for (const { number, organization } of rows) {
      restore?.run(organization, number);
      remove?.run(organization, number);
      forget?.run(number);
    }
  }
  return rows.map(({ organizationId, inserted, updated }) => ({
    organizationId,
    deleted: inserted,
    restored: updated,
  }));
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

/** All keys that the import wrote are as it wrote them exactly when so many have its number. */
function requireUnchanged(database: DatabaseSync, rows: readonly Row[]): void {
  const count = database.prepare(
    'SELECT count(*) AS count FROM api_keys WHERE organization = ? AND import = ?',
  );
  const changed: ChangedKey[] = [];
  let changedInAll = 0;
  for (const row of rows) {
    const left = count.get(row.organization, row.number)?.count as number;
    const missing = row.inserted + row.updated - left;
    changedInAll += missing;
    if (missing !== 0 && changed.length < MAX_NAMED_CHANGES) changed.push(...changesSince(database, row));
  }
  if (changedInAll > 0) throw changedSince(changed.slice(0, MAX_NAMED_CHANGES), changedInAll);
}

function changesSince(database: DatabaseSync, { organization, number, organizationId }: Row): ChangedKey[] {
  const rows = database.prepare(CHANGES).all(organization, number, MAX_NAMED_CHANGES);
  return rows.map(row => ({ ...row, organizationId }) as unknown as ChangedKey);
}

/** Its number was made negative, or a later import keeps it as what was before. */
const CHANGES = `
  SELECT id, NULL AS by FROM api_keys WHERE organization = ?1 AND import = -?2
  UNION ALL SELECT key_id, imports.id FROM import_updates JOIN imports ON imports.number = import
  WHERE organization = ?1 AND import_before IN (?2, -?2) ORDER BY 1 LIMIT ?3`;

/** A stored record without its head is an object when this stands before it. */
const record = `'{"name":' || before.record`;
const STATUS = Object.entries(storedStatus).map(([status, stored]) => `WHEN '${status}' THEN ${stored}`);

const RESTORE = `
  UPDATE api_keys SET record = before.record, declared = before.declared, import = before.import_before,
    status = CASE json_extract(${record}, '$.status') ${STATUS.join(' ')} END,
    workspace = coalesce((SELECT number FROM workspaces WHERE workspaces.organization = api_keys.organization
      AND workspaces.id = json_extract(${record}, '$.workspace_id')), 0)
  FROM import_updates AS before
  WHERE before.import = ?2 AND api_keys.organization = ?1 AND api_keys.id = before.key_id`;

/** What is left of its keys, which it inserted. */
const REMOVE = 'DELETE FROM api_keys WHERE organization = ?1 AND import = ?2';
const FORGET = 'DELETE FROM import_updates WHERE import = ?1';
