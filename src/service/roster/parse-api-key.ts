import type { FlatField } from '../../shared/record/api-key-record.ts';
import { CREATOR_FIELDS, CREATOR_TYPES, RECORD_FIELDS } from '../../shared/record/api-key-record.ts';
import type { Fault } from '../../shared/record/faults.ts';
import { Fields, isObject } from '../../shared/record/fields.ts';
import {
  type ApiKeyId,
  type CreatorId,
  KEY_ID_RULE,
  OWNER_ID_RULE,
  parseKeyId,
  parseOwnerId,
  type WorkspaceId,
} from '../../shared/record/identifier.ts';
import { NAME_RULE, parseName } from '../../shared/record/name.ts';
import {
  containsMaskedKey,
  PARTIAL_KEY_HINT_RULE,
  parsePartialKeyHint,
} from '../../shared/record/partial-key-hint.ts';
import { containsAdminKey } from '../../shared/record/redact-admin-keys.ts';
import { parseStatus, STATUS_RULE } from '../../shared/record/status.ts';
import { parseTimestamp, TIMESTAMP_RULE } from '../../shared/record/timestamp.ts';
import type { ApiKey, Creator } from './api-key.ts';
import {
  type Declared,
  type DeclaredField,
  declaredRule,
  NO_FIELDS,
  parseDeclaredValue,
} from './declared-fields.ts';

/** An API key, or all faults of its record, at least one. */
export type ParsedApiKey = { readonly key: ApiKey } | { readonly faults: readonly Fault[] };

/**
 * Parses an `ApiKeyRecord` with these declared fields after it; `type` is optional, and a declared field that is absent is `null`.
 * A fault is an unknown field, a missing one, a value that breaks its rule, or
 * key material in any field. It names the field and the rule, never the value, which may be a secret.
 */
export function parseApiKey(record: unknown, declared: readonly DeclaredField[] = NO_FIELDS): ParsedApiKey {
  if (!isObject(record)) return { faults: [{ field: null, problem: 'must be an object' }] };
  const faults: Fault[] = [];
  const fields = new Fields(record, '', faults);
  fields.refuseUnknown(
    declared.length === 0 ? RECORD_FIELDS : [...RECORD_FIELDS, ...declared.map(({ name }) => name)],
  );
  if (record.type !== undefined) fields.read('type', oneOf(['api_key']), 'must be api_key');
  const key: ApiKey = {
    id: fields.read('id', parseKeyId<ApiKeyId>, KEY_ID_RULE),
    name: fields.read('name', parseName, NAME_RULE),
    createdAt: fields.read('created_at', parseTimestamp, TIMESTAMP_RULE),
    createdBy: fields.read(
      'created_by',
      value => parseCreator(value, faults),
      'must be an object of id and type',
    ),
    partialKeyHint: fields.read('partial_key_hint', parsePartialKeyHint, PARTIAL_KEY_HINT_RULE),
    status: fields.read('status', parseStatus, STATUS_RULE),
    workspaceId: fields.read(
      'workspace_id',
      parseWorkspaceId,
      `${OWNER_ID_RULE}, or null for the default workspace`,
    ),
    ...(declared.length > 0 && { declared: declared.map(field => declaredIn(fields, field)) }),
  };
  if (faults.length === 0) faults.push(...keyMaterialIn(key));
  return faults.length > 0 ? { faults } : { key };
}

function parseCreator(value: unknown, faults: Fault[]): Creator | undefined {
  if (!isObject(value)) return undefined;
  const fields = new Fields(value, 'created_by.', faults);
  fields.refuseUnknown(CREATOR_FIELDS);
  return {
    id: fields.read('id', parseOwnerId<CreatorId>, OWNER_ID_RULE),
    type: fields.read('type', oneOf(CREATOR_TYPES), `must be one of ${CREATOR_TYPES.join(', ')}`),
  };
}

function declaredIn(fields: Fields, field: DeclaredField): Declared {
  const parse = (value: unknown) => parseDeclaredValue(field, value);
  return { field, value: fields.readOr(field.name, parse, declaredRule(field), null) };
}

function parseWorkspaceId(value: unknown): WorkspaceId | null | undefined {
  return value === null ? null : parseOwnerId<WorkspaceId>(value);
}

/** Their rules leave no room for a key. */
type Safe = 'created_at' | 'created_by.type' | 'partial_key_hint' | 'status';

/** A secret that was put into a name or an ID by mistake would be stored, listed and logged. */
function* keyMaterialIn(key: ApiKey): Generator<Fault> {
  const { id, name, createdBy, workspaceId, partialKeyHint, declared = [] } = key;
  const ofContract: Record<Exclude<FlatField<'.'>, Safe>, string | null> = {
    id,
    name,
    'created_by.id': createdBy.id,
    workspace_id: workspaceId,
  };
  const texts: [field: string, text: unknown][] = [
    ...Object.entries(ofContract),
    ...declared.map(({ field, value }): [string, unknown] => [field.name, value]),
  ];
  for (const [field, text] of texts) {
    if (typeof text !== 'string') continue;
    if (containsAdminKey(text))
      yield { field, problem: 'contains an admin key: revoke it and fix the record' };
    else if (containsMaskedKey(partialKeyHint, text))
      yield { field, problem: 'contains the key that partial_key_hint masks' };
  }
}

function oneOf<T extends string>(values: readonly T[]): (value: unknown) => T | undefined {
  return value => values.find(known => known === value);
}
