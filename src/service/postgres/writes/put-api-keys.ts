/**
 * Writes few keys, in a transaction. New keys are inserted first, and whoever puts one of the same ID meanwhile waits for the end
 * of this transaction. The others are locked, so that what is compared with them is what they are when they are updated.
 */

import type { Refused } from '../../../shared/record/faults.ts';
import type { ApiKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import { type ApiKey, renderApiKey } from '../../roster/api-key.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import { isUse, withLastUse } from '../../roster/writes/key-use.ts';
import type { FeedLine } from '../../roster/writes/key-writer.ts';
import {
  FIELD_IS_GONE,
  type KeysToPut,
  keysBy,
  organizationRefused,
  type PutCounts,
  type PutOutcome,
  putCounts,
  putOutcome,
  withFields,
} from '../../roster/writes/put-outcome.ts';
import { beingDeleted, unknownOrganization } from '../../roster/writes/refusals.ts';
import { type Column, columnsWith, list } from '../columns.ts';
import { columnAsText, fieldsToWrite, numberedName, recordWith } from '../declared-fields.ts';
import { hasCitus } from '../distribution/state.ts';
import { keysDropped } from '../errors.ts';
import type { Statements } from '../statements.ts';
import { requireOwnTable } from '../vendor-table/own-table.ts';
import { organizationsWith, requireWritable } from './organizations.ts';
import { recordUses } from './record-uses.ts';

export async function putApiKeys(
  client: Statements,
  organizationId: OrganizationId,
  given: KeysToPut,
): Promise<PutCounts> {
  await requireOwnTable(client);
  const fields = await fieldsToWrite(client); // before organizations, as `LOCK_ORDER` has it
  await requireWritable(client, organizationId);
  const keys = keysBy(given, fields);
  const lines = keys.map(key => ({ organizationId, key }));
  return putCounts(keys, await putLines(client, lines, fields, organizationId));
}

export async function feedApiKeys(
  client: Statements,
  lines: readonly FeedLine[],
  orNone = false,
): Promise<PutOutcome[]> {
  await requireOwnTable(client);
  const fields = await fieldsToWrite(client); // as above
  const ids = new Set(lines.map(({ organizationId }) => organizationId));
  const organizations = await organizationsWith(client, [...ids]);
  const refusals = new Map<OrganizationId, Refused>();
  for (const id of ids) {
    const found = organizations.get(id);
    if (!found) refusals.set(id, unknownOrganization());
    else if (found.deletedAt !== null) refusals.set(id, beingDeleted());
  }
  const known = lines.filter(({ organizationId }) => !refusals.has(organizationId));
  const outcomes = new Map<FeedLine, PutOutcome | undefined>();
  for (const { part, organization } of (await hasCitus(client)) ? byOrganization(known) : [{ part: known }]) {
    const keys = part.filter(isPut);
    const uses = part.filter(isUse);
    // Keys first, so that a use may come with its key. In either order the later use is kept.
    const done = [
      ...(keys.length > 0 ? await putLines(client, keys, fields, organization) : []),
      ...(uses.length > 0 ? await recordUses(client, uses, fields, organization) : []),
    ];
    for (const [index, line] of [...keys, ...uses].entries()) outcomes.set(line, done[index]);
  }
  const all = lines.map(line => {
    const refusal = refusals.get(line.organizationId);
    return refusal ? organizationRefused(refusal) : (outcomes.get(line) ?? { faults: [] });
  });
  const keys = lines.map(({ key }) => key);
  if (orNone) putCounts(keys, all);
  return all;
}

const isPut = (line: FeedLine): line is FeedLine<ApiKey> => !isUse(line);

interface Part {
  readonly part: readonly FeedLine[];
  /** That of all lines; without it they are of several. */
  readonly organization?: OrganizationId;
}

/** Citus locks rows by a statement for one shard only. Two feeds go through the organizations in the same order. */
function byOrganization(lines: readonly FeedLine[]): Part[] {
  const parts = Map.groupBy(lines, ({ organizationId }) => organizationId);
  return Array.from(parts, ([organization, part]) => ({ organization, part })).sort((a, b) =>
    a.organization < b.organization ? -1 : 1,
  );
}

/** Puts one line after the other: later lines of the same key are compared with what the earlier ones make of it. */
async function putLines(
  client: Statements,
  all: readonly FeedLine<ApiKey>[],
  fields: readonly DeclaredField[],
  organization: OrganizationId | undefined,
): Promise<PutOutcome[]> {
  const columns = columnsWith(fields);
  const sql = statementsFor(organization === undefined ? 'put.organization' : '$2::text', columns, fields);
  const readable = all.map(line => {
    const key = withFields(line.key, fields);
    return key && { ...line, key };
  });
  const lines = readable.filter(line => line !== null);
  const run = async (statement: keyof typeof sql, rows: Iterable<FeedLine<ApiKey>>) =>
    client.query(sql[statement], [
      jsonRows(rows, columns),
      ...(organization === undefined ? [] : [organization]),
    ]);

  const first = new Map([...lines].reverse().map(line => [keyOf(line.organizationId, line.key.id), line]));
  const records = new Map<string, string>();
  // Again for a key that was there, and isn't any more when it is to be locked: an operator has deleted it.
  let missing = first;
  for (let round = 1; missing.size > 0; round += 1) {
    if (round > MAX_ROUNDS) throw keysDropped(missing.size);
    const existing = new Map(missing);
    const { rows: inserted } = await run('insertNew', missing.values());
    for (const { organization, id } of inserted) existing.delete(keyOf(organization, id));
    const found = existing.size > 0 ? (await run('lock', existing.values())).rows : [];
    for (const { organization, id, record, ...texts } of found) {
      const declared = fields.map(field => texts[numberedName(field)]);
      records.set(keyOf(organization, id), recordWith(record, fields, declared));
      existing.delete(keyOf(organization, id));
    }
    missing = existing;
  }
  const updated = new Map<string, FeedLine<ApiKey>>();
  const outcomes = readable.map(line => {
    if (line === null) return FIELD_IS_GONE;
    const place = keyOf(line.organizationId, line.key.id);
    const key = withLastUse(line.key, records.get(place));
    const outcome = putOutcome(records.get(place), key);
    if ('faults' in outcome) return outcome;
    records.set(place, renderApiKey(key));
    if (outcome.result === 'updated') updated.set(place, { ...line, key });
    return outcome;
  });
  if (updated.size > 0) {
    const { rows } = await run('update', updated.values());
    if (rows.length < updated.size) throw keysDropped(updated.size - rows.length, 'not changed');
  }
  return outcomes;
}

/** No key is deleted and made anew so often. */
const MAX_ROUNDS = 3;

/** IDs have no space. */
const keyOf = (organization: OrganizationId, id: ApiKeyId) => `${organization} ${id}`;

function jsonRows(lines: Iterable<FeedLine<ApiKey>>, columns: readonly Column[]): string {
  return JSON.stringify(
    Array.from(lines, ({ organizationId, key }) => ({
      organization: organizationId,
      ...Object.fromEntries(columns.map(({ given, input }) => [given, input(key)])),
    })),
  );
}

/** Inserts in the order of an import, and then locks by ID (`merge-import.ts`). */
function statementsFor(
  organization: '$2::text' | 'put.organization',
  columns: readonly Column[],
  fields: readonly DeclaredField[],
) {
  const types = list(columns, ({ given, type }) => `${given} ${type}`);
  const put = `pg_catalog.json_to_recordset($1::text::json) AS put (organization text, ${types})`;
  const changing = columns.filter(({ changes }) => changes);
  const declared = fields.map(field => `, ${columnAsText(field, 'stored')} AS ${numberedName(field)}`);
  return {
    insertNew: `
    INSERT INTO keyroster.api_keys (organization_id, ${list(columns, ({ name }) => name)})
    SELECT ${organization}, ${list(columns, ({ given }) => `put.${given}`)}
    FROM ${put} ORDER BY put.created_at, put.id COLLATE "C", put.organization COLLATE "C"
    ON CONFLICT (organization_id, id) DO NOTHING RETURNING organization_id AS organization, id`,
    lock: `
    SELECT stored.organization_id AS organization, stored.id, stored.record${declared.join('')}
    FROM keyroster.api_keys AS stored JOIN ${put} ON stored.id = put.id
    WHERE stored.organization_id = ${organization} ORDER BY stored.id, stored.organization_id FOR UPDATE OF stored`,
    update: `
    UPDATE keyroster.api_keys AS stored SET ${list(changing, ({ name, given }) => `${name} = put.${given}`)}
    FROM ${put} WHERE stored.organization_id = ${organization} AND stored.id = put.id RETURNING stored.id`,
  };
}
