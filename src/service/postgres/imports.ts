import type { Client } from 'pg';
import { Refused } from '../../shared/record/faults.ts';
import type { ImportId, OrganizationId } from '../../shared/record/identifier.ts';
import type { Actor } from '../roster/actor.ts';
import type { DeclaredField } from '../roster/declared-fields.ts';
import {
  type ImportEntry,
  type ImportedKeys,
  type OrganizationRevert,
  planRevert,
  type RevertOptions,
  revertCounts,
} from '../roster/imports.ts';
import { alreadyReverted, notAsRecorded, unknownImport } from '../roster/refusals.ts';
import { allowCorrections, requireDeleteRight } from './correction.ts';
import { columnName, columnType, fieldsToWrite } from './declared-fields.ts';
import { microseconds, timestampOf, timestamptz } from './timestamp.ts';
import { requireOwnTable } from './vendor-table/own-table.ts';

interface Row {
  readonly id: ImportId;
  readonly organization_id: OrganizationId;
  readonly number: string;
  readonly recorded: string;
  readonly actor: Actor;
  readonly inserted: string;
  readonly updated: string;
  readonly unchanged: string;
  readonly reverted: string | null;
}

const SELECT = `
  SELECT id, organization_id, number, ${microseconds('recorded_at')} AS recorded, actor, inserted, updated, unchanged,
    ${microseconds('reverted_at')} AS reverted
  FROM keyroster.imports`;

/** The rows of one import have the same time. */
export async function listImports(
  client: Client,
  organization: OrganizationId | null,
  after: ImportEntry | null,
  limit: number,
): Promise<readonly ImportEntry[]> {
  const conditions = [
    ...(after === null ? [] : ['(recorded_at, id, organization_id) > ($2::timestamptz, $3, $4)']),
    ...(organization === null ? [] : [`organization_id = $${after === null ? 2 : 5}`]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const position = after === null ? [] : [timestamptz(after.recordedAt), after.id, after.organizationId];
  const { rows } = await client.query<Row>(
    `${SELECT} ${where} ORDER BY recorded_at, id, organization_id LIMIT $1`,
    [limit, ...position, ...(organization === null ? [] : [organization])],
  );
  return rows.map(entryOf);
}

function entryOf(row: Row): ImportEntry {
  return {
    id: row.id,
    organizationId: row.organization_id,
    number: Number(row.number),
    recordedAt: timestampOf(row.recorded),
    actor: row.actor,
    inserted: Number(row.inserted),
    updated: Number(row.updated),
    unchanged: Number(row.unchanged),
    revertedAt: row.reverted === null ? null : timestampOf(row.reverted),
  };
}

/** To be called in a transaction. */
export async function revertImport(
  client: Client,
  id: ImportId,
  options: RevertOptions,
): Promise<readonly OrganizationRevert[]> {
  await requireOwnTable(client);
  if (!options.dryRun) await client.query(ONE_AT_A_TIME);
  const rows = await entriesOf(client, id);
  if (!options.dryRun) await requireDeleteRight(client, 'imports revert');
  if (await maySeeAuditLog(client)) await requireRecorded(client, id, rows);
  const planned = planRevert(await keysOf(client, id, rows), options);
  if (!options.dryRun) await takeBack(client, id, rows[0]?.number ?? 0, revertCounts(planned));
  return planned;
}

/**
 * Any number, which nothing else locks. Only the revert of a later import gives keys the number of this one again. So while none
 * runs, each organization has fewer of them or as many, and where their sums are as planned each one is.
 */
const ONE_AT_A_TIME = 'SELECT pg_advisory_xact_lock(5432177138399209839)';

/** One for each organization, all with the same number. */
async function entriesOf(client: Client, id: ImportId): Promise<readonly ImportEntry[]> {
  const { rows } = await client.query<Row>(`${SELECT} WHERE id = $1 ORDER BY organization_id`, [id]);
  const [first] = rows.map(entryOf);
  if (!first) throw unknownImport();
  if (first.revertedAt !== null) throw alreadyReverted(first.revertedAt);
  return rows.map(entryOf);
}

/** An issuer's role may ask for a dry run, and not read the audit log. */
async function maySeeAuditLog(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ may: string }>(
    `SELECT has_table_privilege('keyroster.audit_log', 'SELECT')::text AS may`,
  );
  return rows[0]?.may === 'true';
}

/** An issuer's role may insert a row of any organization for an import, but can't change an entry of the audit log. */
async function requireRecorded(client: Client, id: ImportId, rows: readonly ImportEntry[]): Promise<void> {
  const found = await client.query<{ entry: string }>(
    `SELECT concat_ws(' ', organization_id, details::json ->> 'inserted', details::json ->> 'updated') AS entry
     FROM keyroster.audit_log WHERE action = 'import' AND subject_id = $1`,
    [id],
  );
  const entries = new Set(found.rows.map(({ entry }) => entry));
  for (const { organizationId, inserted, updated } of rows)
    if (!entries.has(`${organizationId} ${inserted} ${updated}`)) throw notAsRecorded(organizationId);
}

async function keysOf(client: Client, id: ImportId, rows: readonly ImportEntry[]): Promise<ImportedKeys[]> {
  const written = await countsBy(client, COUNT_WRITTEN, id);
  const later = await countsBy(client, COUNT_LATER, id);
  return rows.map(row => {
    const { left = 0, restorable = 0, changed = 0 } = written.get(row.organizationId) ?? {};
    const { by_imports = 0 } = later.get(row.organizationId) ?? {};
    return { ...row, left, restorable, changed: changed + by_imports };
  });
}

/** The counts of each organization that has any. */
async function countsBy(client: Client, sql: string, id: ImportId) {
  const { rows } = await client.query<{ organization_id: OrganizationId; [count: string]: string }>(sql, [
    id,
  ]);
  return new Map(
    rows.map(({ organization_id, ...counts }) => {
      const numbers = Object.entries(counts).map(([name, count]) => [name, Number(count)] as const);
      return [organization_id, Object.fromEntries<number | undefined>(numbers)];
    }),
  );
}

const COUNT_WRITTEN = `
  SELECT imports.organization_id, count(*) FILTER (WHERE stored.import > 0) AS left,
    count(before.key_id) FILTER (WHERE stored.import > 0) AS restorable,
    count(*) FILTER (WHERE stored.import < 0) AS changed
  FROM keyroster.imports JOIN keyroster.api_keys AS stored
    ON stored.organization_id = imports.organization_id AND stored.import IN (imports.number, -imports.number)
  LEFT JOIN keyroster.import_updates AS before ON before.organization_id = imports.organization_id
    AND before.import = imports.number AND before.key_id = stored.id
  WHERE imports.id = $1 GROUP BY imports.organization_id`;

const COUNT_LATER = `
  SELECT imports.organization_id, count(*) AS by_imports FROM keyroster.imports JOIN keyroster.import_updates AS later
    ON later.organization_id = imports.organization_id AND later.import_before IN (imports.number, -imports.number)
  WHERE imports.id = $1 GROUP BY imports.organization_id`;

async function takeBack(
  client: Client,
  id: ImportId,
  number: number,
  planned: Pick<OrganizationRevert, 'deleted' | 'restored'>,
): Promise<void> {
  await allowCorrections(client);
  const fields = await fieldsToWrite(client);
  const marked = await client.query(MARK, [id]);
  const restored = await client.query(restore(fields), [id, number]);
  const deleted = await client.query(REMOVE, [id, number]);
  if (!marked.rowCount || restored.rowCount !== planned.restored || deleted.rowCount !== planned.deleted)
    throw new Refused(
      "some of the import's API keys were written by others during the revert; nothing was changed: run it again",
    );
  await client.query(FORGET, [id, number]);
}

const MARK = 'UPDATE keyroster.imports SET reverted_at = now() WHERE id = $1 AND reverted_at IS NULL';

/** Declared values are read by a table function, as Citus casts none in a SET: a cast to a timestamp may depend on settings. */
function restore(fields: readonly DeclaredField[]): string {
  const set = fields.map(field => `, ${columnName(field)} = declared."${field.number}"`).join('');
  const columns = fields.map(({ number, type }) => `"${number}" ${columnType(type)}`).join(', ');
  const values =
    fields.length === 0
      ? ''
      : `CROSS JOIN LATERAL json_to_record(before.declared::json) AS declared (${columns})`;
  return `
  UPDATE keyroster.api_keys AS stored SET name = before.record::json ->> 'name', status = before.record::json ->> 'status',
    workspace_id = before.record::json ->> 'workspace_id', partial_key_hint = before.record::json ->> 'partial_key_hint',
    import = before.import_before${set}
  FROM keyroster.imports JOIN keyroster.import_updates AS before
    ON before.organization_id = imports.organization_id AND before.import = imports.number ${values}
  WHERE imports.id = $1 AND stored.organization_id = imports.organization_id AND stored.id = before.key_id
    AND stored.import = $2::bigint`;
}

/** What is left of its keys, which it inserted. */
const REMOVE = `
  DELETE FROM keyroster.api_keys AS stored USING keyroster.imports
  WHERE imports.id = $1 AND stored.organization_id = imports.organization_id AND stored.import = $2::bigint`;

/** What is kept of a skipped key tells a revert of the import before that this one changed the key. */
const FORGET = `
  DELETE FROM keyroster.import_updates AS before USING keyroster.imports, keyroster.api_keys AS stored
  WHERE imports.id = $1 AND before.organization_id = imports.organization_id AND before.import = $2::bigint
    AND stored.organization_id = before.organization_id AND stored.id = before.key_id
    AND stored.import IS NOT DISTINCT FROM before.import_before`;
