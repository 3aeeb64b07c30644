import type { Client } from 'pg';
import type { Actor } from '../roster/actor.ts';
import type { ImportId, OrganizationId } from '../roster/identifier.ts';
import type { ImportEntry } from '../roster/imports.ts';
import { microseconds, timestampOf, timestamptz } from './timestamp.ts';

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
  return rows.map(row => ({
    id: row.id,
    organizationId: row.organization_id,
    number: Number(row.number),
    recordedAt: timestampOf(row.recorded),
    actor: row.actor,
    inserted: Number(row.inserted),
    updated: Number(row.updated),
    unchanged: Number(row.unchanged),
    revertedAt: row.reverted === null ? null : timestampOf(row.reverted),
  }));
}
