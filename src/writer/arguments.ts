/** The arguments of a writer's methods, as the issuer gives them: parsed here, and refused with all their faults. */

import { EXPIRY_RULE, futureExpiry } from '../roster/admin-key.ts';
import {
  DISPLAY_NAME_RULE,
  parseDisplayName,
  parseStatus,
  STATUS_RULE,
  type Status,
} from '../roster/api-key.ts';
import { type DeclaredField, NO_FIELDS } from '../roster/declared-fields.ts';
import type { Fault, RefusedFault } from '../roster/errors.ts';
import { Fields, isObject, UNKNOWN_FIELD } from '../roster/fields.ts';
import {
  type AdminKeyId,
  type AnyId,
  type ApiKeyId,
  ID_RULE,
  newId,
  type OrganizationId,
  parseId,
} from '../roster/identifier.ts';
import { NETWORK_LIST_RULE, parseAdminKeyNetworkList } from '../roster/network.ts';
import { parseApiKey } from '../roster/parse-api-key.ts';
import type { KeysToPut } from '../roster/put-outcome.ts';
import { containsAdminKey, NO_ADMIN_KEY_RULE } from '../roster/redact-admin-keys.ts';
import { duplicateOf, refusedWrite } from '../roster/refusals.ts';
import { parseTimestamp, TIMESTAMP_RULE, type Timestamp } from '../roster/timestamp.ts';

/** As many as a page has. More are an import: a put holds its locks for as long as the caller's transaction lasts. */
const MAX_AT_ONCE = 1000;

/**
 * The keys of these records, no two with the same ID. Where a record has more fields than those of the contract, the store tells
 * whether they are declared.
 */
export function parseRecords(records: unknown): KeysToPut {
  const given = few('records', records);
  const { keys, faults } = keysOf(given, NO_FIELDS);
  if (faults.length === 0) return keys;
  if (!faults.some(({ problem }) => problem === UNKNOWN_FIELD)) throw refusedWrite(faults);
  const copies = given.map(copyOf); // what the issuer changes later changes nothing here
  const [only] = given;
  return {
    onlyId: given.length === 1 && isObject(only) ? (parseId<ApiKeyId>(only.id) ?? null) : null,
    read: fields => {
      const read = keysOf(copies, fields);
      if (read.faults.length > 0) throw refusedWrite(read.faults);
      return read.keys;
    },
  };
}

function copyOf(record: unknown): unknown {
  if (!isObject(record)) return record;
  return { ...record, ...(isObject(record.created_by) && { created_by: { ...record.created_by } }) };
}

function keysOf(records: readonly unknown[], fields: readonly DeclaredField[]) {
  const faults: RefusedFault[] = [];
  const first = new Map<ApiKeyId, number>();
  const keys = records.flatMap((record, index) => {
    const parsed = parseApiKey(record, fields);
    if ('faults' in parsed) {
      faults.push(...parsed.faults.map(fault => ({ ...fault, index, id: null })));
      return [];
    }
    const { id } = parsed.key;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    else faults.push({ ...duplicateOf(earlier, 'key'), index, id });
    return [parsed.key];
  });
  return { keys, faults };
}

export function parseIds(ids: unknown): ApiKeyId[] {
  const faults: RefusedFault[] = [];
  const parsed = few('ids', ids).map((text, index) => {
    const id = parseId<ApiKeyId>(text);
    const problem = idProblem(text, id);
    if (problem !== undefined) faults.push({ field: 'id', problem, index, id: null });
    return id as ApiKeyId;
  });
  if (faults.length > 0) throw refusedWrite(faults);
  return parsed;
}

/** The list, or a list of the one value. Has `undefined` for each hole of a sparse list, which `map` would skip. */
function few(field: string, given: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length <= MAX_AT_ONCE) return Array.from(list);
  throw refusedWrite([{ field, problem: `must be at most ${MAX_AT_ONCE} at once`, index: null, id: null }]);
}

export function parseOrganizationId(text: unknown): OrganizationId {
  return argument('organization_id', text);
}

export function parseAdminKeyId(text: unknown): AdminKeyId {
  return argument('id', text);
}

/** A secret that is given where an ID belongs would be repeated in messages. */
function argument<Id extends AnyId>(field: string, text: unknown): Id {
  const id = parseId<Id>(text);
  const problem = idProblem(text, id);
  if (problem !== undefined) throw refusedWrite([{ field, problem, index: null, id: null }]);
  return id as Id;
}

function idProblem(text: unknown, id: AnyId | undefined): string | undefined {
  if (typeof text === 'string' && containsAdminKey(text)) return NO_ADMIN_KEY_RULE;
  return id === undefined ? ID_RULE : undefined;
}

export function parseNewStatus(text: unknown): Status {
  const status = parseStatus(text);
  if (status === undefined)
    throw refusedWrite([{ field: 'status', problem: STATUS_RULE, index: null, id: null }]);
  return status;
}

export function parseNewOrganization(organization: unknown) {
  return parseFields(organization, ['id', 'name'], fields => ({
    id: fields.readOr('id', parseId<OrganizationId>, ID_RULE, null) ?? newId<OrganizationId>('org'),
    name: fields.read('name', parseDisplayName, DISPLAY_NAME_RULE),
  }));
}

export function parseNewAdminKey(key: unknown, now: Timestamp) {
  return parseFields(key, ['name', 'expires_at', 'networks'], (fields, faults) => {
    const expiresAt = fields.readOr('expires_at', orNull(parseTimestamp), TIMESTAMP_RULE, null);
    if (typeof expiresAt === 'bigint' && futureExpiry(expiresAt, now) === undefined)
      faults.push({ field: 'expires_at', problem: EXPIRY_RULE });
    return {
      name: fields.readOr('name', parseDisplayName, DISPLAY_NAME_RULE, 'admin key'),
      expiresAt,
      networks: fields.readOr('networks', orNull(parseAdminKeyNetworkList), NETWORK_LIST_RULE, null),
    };
  });
}

const orNull =
  <T>(parse: (value: unknown) => T | undefined) =>
  (value: unknown): T | null | undefined =>
    value === null ? null : parse(value);

/** Reads an object of these fields and no others. */
function parseFields<T>(
  object: unknown,
  known: readonly string[],
  read: (fields: Fields, faults: Fault[]) => T,
): T {
  const faults: Fault[] = [];
  if (!isObject(object)) throw refusedArguments([{ field: null, problem: 'must be an object' }]);
  const fields = new Fields(object, '', faults);
  fields.refuseUnknown(known);
  const value = read(fields, faults);
  for (const field of known) {
    const text = object[field];
    if (typeof text === 'string' && containsAdminKey(text))
      faults.push({ field, problem: NO_ADMIN_KEY_RULE });
  }
  if (faults.length > 0) throw refusedArguments(faults);
  return value;
}

function refusedArguments(faults: readonly Fault[]) {
  return refusedWrite(faults.map(fault => ({ ...fault, index: null, id: null })));
}
