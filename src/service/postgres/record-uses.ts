/**
 * Writes the last use of few keys, in a transaction: the one column, which no index has, so that the new row stays in its page
 * where that has room, and no index is written. The keys are locked by ID first, as whoever puts keys does.
 */

import type { OrganizationId } from '../../shared/record/identifier.ts';
import type { Timestamp } from '../../shared/record/timestamp.ts';
import type { DeclaredField } from '../roster/declared-fields.ts';
import { type KeyUse, lastUseField, NOT_DECLARED, useOutcome } from '../roster/key-use.ts';
import type { PutOutcome } from '../roster/put-outcome.ts';
import type { FeedLine } from '../roster/roster.ts';
import { columnAsText, columnName } from './declared-fields.ts';
import type { Statements } from './statements.ts';
import { timestampOf, timestamptz } from './timestamp.ts';

export interface UseLine extends FeedLine {
  readonly key: KeyUse;
}

/** @param organization that of all lines; without it they are of several. */
export async function recordUseLines(
  client: Statements,
  lines: readonly UseLine[],
  fields: readonly DeclaredField[],
  organization: OrganizationId | undefined,
): Promise<PutOutcome[]> {
  const field = lastUseField(fields);
  if (!field) return lines.map(() => NOT_DECLARED);
  const sql = statementsFor(organization === undefined ? 'used.organization' : '$2::text', field);
  const run = async (statement: string, rows: Iterable<UseLine>) =>
    client.query(statement, [jsonRows(rows), ...(organization === undefined ? [] : [organization])]);

  const distinct = new Map(lines.map(line => [placeOf(line), line]));
  const { rows } = await run(sql.lock, distinct.values());
  const stored = new Map<string, Timestamp | null>(
    rows.map(({ place, used }) => [place, used === null ? null : timestampOf(used)]),
  );
  const updated = new Map<string, UseLine>();
  const outcomes = lines.map(line => {
    const place = placeOf(line);
    const outcome = useOutcome(stored.get(place), line.key);
    if ('faults' in outcome || outcome.result === 'unchanged') return outcome;
    stored.set(place, line.key.lastUsedAt);
    updated.set(place, line);
    return outcome;
  });
  if (updated.size > 0) await run(sql.update, updated.values());
  return outcomes;
}

/** IDs have no space. */
const placeOf = ({ organizationId, key }: UseLine) => `${organizationId} ${key.id}`;

function jsonRows(lines: Iterable<UseLine>): string {
  return JSON.stringify(
    Array.from(lines, ({ organizationId, key }) => ({
      organization: organizationId,
      id: key.id,
      at: timestamptz(key.lastUsedAt),
    })),
  );
}

function statementsFor(organization: '$2::text' | 'used.organization', field: DeclaredField) {
  const used = 'json_to_recordset($1::text::json) AS used (organization text, id text, at timestamptz)';
  return {
    lock: `
    SELECT stored.organization_id || ' ' || stored.id AS place, ${columnAsText(field, 'stored')} AS used
    FROM keyroster.api_keys AS stored JOIN ${used} ON stored.id = used.id
    WHERE stored.organization_id = ${organization} ORDER BY stored.id, stored.organization_id FOR UPDATE OF stored`,
    update: `
    UPDATE keyroster.api_keys AS stored SET ${columnName(field)} = used.at
    FROM ${used} WHERE stored.organization_id = ${organization} AND stored.id = used.id`,
  };
}
