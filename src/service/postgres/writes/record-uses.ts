/**
 * Writes the last use of few keys, in a transaction: the one column, which no index has, so that the new row stays in its page
 * where that has room, and no index is written. The keys are locked by ID first, as whoever puts keys does.
 */

import type { OrganizationId } from '../../../shared/record/identifier.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import { type KeyUse, lastUseField, NOT_DECLARED, useOutcome } from '../../roster/writes/key-use.ts';
import type { FeedLine } from '../../roster/writes/key-writer.ts';
import type { PutOutcome } from '../../roster/writes/put-outcome.ts';
import { columnAsText, columnName } from '../declared-fields.ts';
import { keysDropped } from '../errors.ts';
import type { Statements } from '../statements.ts';
import { timestampOf, timestamptz } from '../timestamp.ts';

/** @param organization that of all lines; without it they are of several. */
export async function recordUses(
  client: Statements,
  lines: readonly FeedLine<KeyUse>[],
  fields: readonly DeclaredField[],
  organization: OrganizationId | undefined,
): Promise<PutOutcome[]> {
  const field = lastUseField(fields);
  if (!field) return lines.map(() => NOT_DECLARED);
  const isUsed = `stored.id = used.id AND stored.organization_id = ${organization === undefined ? 'used.organization' : '$2::text'}`;
  const run = (sql: string, rows: Iterable<FeedLine<KeyUse>>) =>
    client.query(sql, [jsonRows(rows), ...(organization === undefined ? [] : [organization])]);

  const distinct = new Map(lines.map(line => [placeOf(line), line]));
  const { rows } = await run(
    `SELECT stored.organization_id || ' ' || stored.id AS place, ${columnAsText(field, 'stored')} AS used
     FROM keyroster.api_keys AS stored JOIN ${USED} ON ${isUsed}
     ORDER BY stored.id, stored.organization_id FOR UPDATE OF stored`,
    distinct.values(),
  );
  const stored = new Map<string, Timestamp | null>(
    rows.map(({ place, used }) => [place, used === null ? null : timestampOf(used)]),
  );
  const updated = new Map<string, FeedLine<KeyUse>>();
  const outcomes = lines.map(line => {
    const place = placeOf(line);
    const outcome = useOutcome(stored.get(place), line.key);
    if ('faults' in outcome || outcome.result === 'unchanged') return outcome;
    stored.set(place, line.key.lastUsedAt);
    updated.set(place, line);
    return outcome;
  });
  const update = `UPDATE keyroster.api_keys AS stored SET ${columnName(field)} = used.at FROM ${USED} WHERE ${isUsed} RETURNING stored.id`;
  if (updated.size > 0) {
    const { rows: written } = await run(update, updated.values());
    if (written.length < updated.size) throw keysDropped(updated.size - written.length, 'not changed');
  }
  return outcomes;
}

const USED =
  'pg_catalog.json_to_recordset($1::text::json) AS used (organization text, id text, at timestamptz)';

/** IDs have no space. */
const placeOf = ({ organizationId, key }: FeedLine<KeyUse>) => `${organizationId} ${key.id}`;

function jsonRows(lines: Iterable<FeedLine<KeyUse>>): string {
  const rows = Array.from(lines, ({ organizationId: organization, key }) => {
    return { organization, id: key.id, at: timestamptz(key.lastUsedAt) };
  });
  return JSON.stringify(rows);
}
