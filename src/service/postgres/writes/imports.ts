import type { Client } from 'pg';
import { Refused } from '../../../shared/record/faults.ts';
import type { ImportId, OrganizationId } from '../../../shared/record/identifier.ts';
import {
  type ImportEntry,
  type OrganizationRevert,
  type RevertOptions,
  requireUnchanged,
  revertCounts,
} from '../../roster/writes/imports.ts';
import { alreadyReverted, unknownImport } from '../../roster/writes/refusals.ts';
import { microseconds, timestampOf, timestamptz } from '../timestamp.ts';
import { requireOwnTable } from '../vendor-table/own-table.ts';
import { allowCorrections, requireDeleteRight } from './correction.ts';
import { numberOfImport } from './import/import-number.ts';

const SELECT = `
  SELECT id, organization_id AS "organizationId", ${microseconds('recorded_at')} AS "recordedAt", actor,
    inserted, updated, unchanged, ${microseconds('reverted_at')} AS "revertedAt"
  FROM keyroster.imports`;

interface Row extends Record<Exclude<keyof ImportEntry, 'revertedAt'>, string> {
  readonly revertedAt: string | null;
}

/** The rows of one import have the same time. */
export async function listImports(
  client: Client,
  organization: OrganizationId | null,
  after: ImportEntry | null,
  limit: number,
): Promise<readonly ImportEntry[]> {
  const text = `${SELECT} WHERE (organization_id = $1 OR $1::text IS NULL)
      AND ((recorded_at, id, organization_id) > ($2::timestamptz, $3::text, $4::text) OR $3::text IS NULL)
    ORDER BY recorded_at, id, organization_id LIMIT $5`;
  const position = [after && timestamptz(after.recordedAt), after?.id, after?.organizationId];
  const { rows } = await client.query<Row>(text, [organization, ...position, limit]);
  return rows.map(entryOf);
}

function entryOf(row: Row): ImportEntry {
  return {
    ...row,
    recordedAt: timestampOf(row.recordedAt),
    inserted: Number(row.inserted),
    updated: Number(row.updated),
    unchanged: Number(row.unchanged),
    revertedAt: row.revertedAt === null ? null : timestampOf(row.revertedAt),
  } as ImportEntry;
}

/** To be called in a transaction. */
export async function revertImport(
  client: Client,
  id: ImportId,
  options: RevertOptions,
): Promise<readonly OrganizationRevert[]> {
  await requireOwnTable(client);
  await requireRevertible(client, id);
  if (!options.dryRun) await requireDeleteRight(client, 'imports revert');
  const planned = await plan(client, id);
  requireUnchanged(planned, options);
  if (!options.dryRun) await takeBack(client, id, planned);
  return planned;
}

async function requireRevertible(client: Client, id: ImportId): Promise<void> {
  const { rows } = await client.query<Row>(`${SELECT} WHERE id = $1 LIMIT 1`, [id]);
  const [found] = rows.map(entryOf);
  if (!found) throw unknownImport();
  if (found.revertedAt !== null) throw alreadyReverted(found.revertedAt);
}

async function plan(client: Client, id: ImportId): Promise<OrganizationRevert[]> {
  const { rows } = await client.query(PLAN, [id, numberOfImport(id)]);
  return rows.map(({ organization_id, deleted, statuses, skipped }) => ({
    organizationId: organization_id,
    deleted: Number(deleted),
    statuses: Number(statuses),
    skipped: Number(skipped),
  }));
}

const PLAN = `
  SELECT imports.organization_id,
    count(*) FILTER (WHERE stored.import = $2::bigint) AS deleted,
    count(*) FILTER (WHERE stored.status = switched.status) AS statuses,
    count(*) FILTER (WHERE stored.import = -$2::bigint OR stored.status <> switched.status) AS skipped
  FROM keyroster.imports LEFT JOIN keyroster.api_keys AS stored ON stored.organization_id = imports.organization_id
  LEFT JOIN keyroster.import_statuses AS switched ON switched.organization_id = imports.organization_id
    AND switched.import = $2::bigint AND switched.key_id = stored.id
  WHERE imports.id = $1 GROUP BY imports.organization_id ORDER BY imports.organization_id`;

async function takeBack(client: Client, id: ImportId, planned: readonly OrganizationRevert[]): Promise<void> {
  await allowCorrections(client);
  const number = numberOfImport(id);
  const marked = await client.query(MARK, [id]);
  const { rowCount: statuses } = await client.query(PUT_BACK, [id, number]);
  const { rowCount: deleted } = await client.query(REMOVE, [id, number]);
  const counts = revertCounts(planned);
  if (!marked.rowCount || statuses !== counts.statuses || deleted !== counts.deleted)
    throw new Refused(
      "some of the import's API keys were written by others during the revert; nothing was changed: run it again",
    );
  await client.query(FORGET, [id, number]);
}

const MARK = 'UPDATE keyroster.imports SET reverted_at = now() WHERE id = $1 AND reverted_at IS NULL';

const PUT_BACK = `
  UPDATE keyroster.api_keys AS stored SET status = switched.status_before
  FROM keyroster.imports JOIN keyroster.import_statuses AS switched
    ON switched.organization_id = imports.organization_id AND switched.import = $2::bigint
  WHERE imports.id = $1 AND stored.organization_id = imports.organization_id AND stored.id = switched.key_id
    AND stored.status = switched.status`;

const REMOVE = `
  DELETE FROM keyroster.api_keys AS stored USING keyroster.imports
  WHERE imports.id = $1 AND stored.organization_id = imports.organization_id AND stored.import = $2::bigint`;

const FORGET = `
  DELETE FROM keyroster.import_statuses AS switched USING keyroster.imports
  WHERE imports.id = $1 AND switched.organization_id = imports.organization_id AND switched.import = $2::bigint`;
