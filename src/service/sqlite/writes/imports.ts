import type { DatabaseSync } from 'node:sqlite';
import type { ImportId, OrganizationId } from '../../../shared/record/identifier.ts';
import { type Timestamp, timestampNow } from '../../../shared/record/timestamp.ts';
import {
  type ImportEntry,
  type OrganizationRevert,
  type RevertOptions,
  requireUnchanged,
} from '../../roster/writes/imports.ts';
import { alreadyReverted, unknownImport } from '../../roster/writes/refusals.ts';
import { storedStatus } from '../stored-values.ts';

export function listImports(
  database: DatabaseSync,
  organization: OrganizationId | null,
  after: ImportEntry | null,
  limit: number,
): readonly ImportEntry[] {
  const statement = database.prepare(
    `SELECT imports.id, organizations.id AS organizationId, recorded_at AS recordedAt, actor,
       inserted, updated, unchanged, reverted_at AS revertedAt
     FROM imports JOIN organizations ON organizations.number = organization
     WHERE imports.number > coalesce((SELECT imports.number FROM imports JOIN organizations ON organizations.number = organization
       WHERE imports.id = ?1 AND organizations.id = ?2), 0) AND (organizations.id = ?3 OR ?3 IS NULL)
     ORDER BY imports.number LIMIT ?4`,
  );
  statement.setReadBigInts(true);
  const position = [after?.id ?? null, after?.organizationId ?? null];
  const rows = statement.all(...position, organization, limit) as unknown as ImportEntry[];
  return rows.map(row => ({
    ...row,
    inserted: Number(row.inserted),
    updated: Number(row.updated),
    unchanged: Number(row.unchanged),
  }));
}

/** To be called in a transaction, which keeps other writers out. */
export function revertImport(
  database: DatabaseSync,
  id: ImportId,
  options: RevertOptions,
): readonly OrganizationRevert[] {
  requireRevertible(database, id);
  const rows = database.prepare(PLAN).all(id);
  const planned = rows.map(row => ({ ...row }) as unknown as OrganizationRevert);
  requireUnchanged(planned, options);
  if (options.dryRun) return planned;
  // First, as triggers refuse to delete a key, and to take one from the archive, where no import is reverted.
  const mark = database.prepare('UPDATE imports SET reverted_at = ? WHERE id = ?');
  mark.run(timestampNow(), id);
  for (const statement of [PUT_BACK, FORGET, REMOVE]) database.prepare(statement).run(id);
  return planned;
}

function requireRevertible(database: DatabaseSync, id: ImportId): void {
  const reverted = database.prepare('SELECT reverted_at FROM imports WHERE id = ?');
  reverted.setReadBigInts(true);
  const found = reverted.get(id) as { reverted_at: Timestamp | null } | undefined;
  if (!found) throw unknownImport();
  if (found.reverted_at !== null) throw alreadyReverted(found.reverted_at);
}

const PLAN = `
  SELECT organizations.id AS organizationId,
    count(*) FILTER (WHERE stored.import = imports.number) AS deleted,
    count(*) FILTER (WHERE stored.status = switched.status) AS statuses,
    count(*) FILTER (WHERE stored.import = -imports.number OR stored.status <> switched.status) AS skipped
  FROM imports JOIN organizations ON organizations.number = imports.organization
  LEFT JOIN api_keys AS stored ON stored.organization = imports.organization
  LEFT JOIN import_statuses AS switched ON switched.import = imports.number AND switched.key_id = stored.id
  WHERE imports.id = ?1 GROUP BY imports.number ORDER BY imports.number`;

const WORDS = Object.entries(storedStatus).map(([status, stored]) => `WHEN ${stored} THEN '${status}'`);
/** SQL: the record with the status before. */
const RECORD_BEFORE = `json_set(record, '$.status', CASE status_before ${WORDS.join(' ')} END)`;

const PUT_BACK = `
  UPDATE api_keys SET status = status_before, record = ${RECORD_BEFORE}, import = -abs(api_keys.import)
  FROM imports JOIN import_statuses AS switched ON switched.import = imports.number
  WHERE imports.id = ?1 AND api_keys.organization = imports.organization AND api_keys.id = switched.key_id
    AND api_keys.status = switched.status`;

/** With these rows a trigger would let archived keys go on. */
const FORGET =
  'DELETE FROM import_statuses WHERE import IN (SELECT number FROM imports WHERE imports.id = ?1)';

const REMOVE = `
  DELETE FROM api_keys WHERE (organization, import) IN (SELECT organization, number FROM imports WHERE imports.id = ?1)`;
