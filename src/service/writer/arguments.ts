/** The arguments of a writer's methods, as the issuer gives them: parsed here, and refused with all their faults. */

import type { RefusedFault } from '../../shared/record/faults.ts';
import { allMembers, isObject, taken, UNKNOWN_FIELD } from '../../shared/record/fields.ts';
import {
  type AdminKeyId,
  type ApiKeyId,
  KEY_ID_RULE,
  newId,
  type OrganizationId,
  OWNER_ID_RULE,
  parseKeyId,
  parseOwnerId,
} from '../../shared/record/identifier.ts';
import { DISPLAY_NAME_RULE, parseDisplayName } from '../../shared/record/name.ts';
import { containsAdminKey, NO_ADMIN_KEY_RULE } from '../../shared/record/redact-admin-keys.ts';
import { parseStatus, STATUS_RULE, type Status } from '../../shared/record/status.ts';
import type { Timestamp } from '../../shared/record/timestamp.ts';
import { type DeclaredField, NO_FIELDS } from '../roster/declared-fields.ts';
import { parseApiKey } from '../roster/parse-api-key.ts';
import { ADMIN_KEY_FIELDS, readAdminKey } from '../roster/writes/given-admin-key.ts';
import { type KeyUse, parseKeyUse } from '../roster/writes/key-use.ts';
import { parseObject } from '../roster/writes/parse-object.ts';
import type { KeysToPut } from '../roster/writes/put-outcome.ts';
import { duplicateOf, refusedWrite } from '../roster/writes/refusals.ts';

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
  const copies = taken(given) as readonly unknown[]; // what the issuer changes later changes nothing here
  const [only] = given;
  return {
    onlyId: given.length === 1 && isObject(only) ? (parseKeyId<ApiKeyId>(only.id) ?? null) : null,
    read: fields => {
      const read = keysOf(copies, fields);
      if (read.faults.length > 0) throw refusedWrite(read.faults);
      return read.keys;
    },
  };
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

export function parseUses(uses: unknown): KeyUse[] {
  const parsed = few('uses', uses).map(parseKeyUse);
  const faults = parsed.flatMap((use, index): RefusedFault[] =>
    'faults' in use ? use.faults.map(fault => ({ ...fault, index, id: null })) : [],
  );
  if (faults.length > 0) throw refusedWrite(faults);
  return parsed.flatMap(use => ('key' in use ? [use.key] : []));
}

export function parseIds(ids: unknown): ApiKeyId[] {
  const faults: RefusedFault[] = [];
  const parsed = few('ids', ids).map((text, index) => {
    const id = parseKeyId<ApiKeyId>(text);
    const problem = idProblem(text, id, KEY_ID_RULE);
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
  throw refusedArgument(field, `must be at most ${MAX_AT_ONCE} at once`);
}

function refusedArgument(field: string, problem: string) {
  return refusedWrite([{ field, problem, index: null, id: null }]);
}

export function parseOrganizationId(text: unknown): OrganizationId {
  return argument('organization_id', text, parseOwnerId<OrganizationId>, OWNER_ID_RULE);
}

export function parseAdminKeyId(text: unknown): AdminKeyId {
  return argument('id', text, parseKeyId<AdminKeyId>, KEY_ID_RULE);
}

/** A secret that is given where an ID belongs would be repeated in messages. */
function argument<Id>(
  field: string,
  text: unknown,
  parse: (text: unknown) => Id | undefined,
  rule: string,
): Id {
  const id = parse(text);
  const problem = idProblem(text, id, rule);
  if (problem !== undefined) throw refusedArgument(field, problem);
  return id as Id;
}

function idProblem(text: unknown, id: unknown, rule: string): string | undefined {
  if (typeof text === 'string' && containsAdminKey(text)) return NO_ADMIN_KEY_RULE;
  return id === undefined ? rule : undefined;
}

export function parseNewStatus(text: unknown): Status {
  const status = parseStatus(text);
  if (status === undefined) throw refusedArgument('status', STATUS_RULE);
  return status;
}

export function parseNewOrganization(organization: unknown) {
  return parseFields(organization, ['id', 'name'], fields => ({
    id:
      fields.readOr('id', parseOwnerId<OrganizationId>, OWNER_ID_RULE, null) ?? newId<OrganizationId>('org'),
    name: fields.read('name', parseDisplayName, DISPLAY_NAME_RULE),
  }));
}

export function parseNewAdminKey(key: unknown, now: Timestamp) {
  const given = isObject(key) ? allMembers(key) : key;
  return parseFields(given, ADMIN_KEY_FIELDS, (fields, faults) => readAdminKey(fields, faults, now));
}

/** Reads an object of these fields and no others. */
function parseFields<T extends object>(...args: Parameters<typeof parseObject<T>>): T {
  const parsed = parseObject(...args);
  if ('faults' in parsed)
    throw refusedWrite(parsed.faults.map(fault => ({ ...fault, index: null, id: null })));
  return parsed;
}
