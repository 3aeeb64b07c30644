import {
  type ApiKey,
  CREATOR_TYPES,
  type Creator,
  NAME_RULE,
  parseName,
  parseStatus,
  STATUS_RULE,
} from './api-key.ts';
import { CREATOR_FIELDS, RECORD_FIELDS } from './api-key-record.ts';
import type { Fault } from './errors.ts';
import { Fields, isObject } from './fields.ts';
import { type ApiKeyId, type CreatorId, ID_RULE, parseId, type WorkspaceId } from './identifier.ts';
import { containsMaskedKey, PARTIAL_KEY_HINT_RULE, parsePartialKeyHint } from './partial-key-hint.ts';
import { containsAdminKey } from './redact-admin-keys.ts';
import { parseTimestamp, TIMESTAMP_RULE } from './timestamp.ts';

/** An API key, or all faults of its record, at least one. */
export type ParsedApiKey = { readonly key: ApiKey } | { readonly faults: readonly Fault[] };

/**
 * Parses an `ApiKeyRecord`; `type` is optional. A fault is an unknown field, a missing one, a value that breaks its rule, or
 * key material in any field. It names the field and the rule, never the value, which may be a secret.
 */
export function parseApiKey(record: unknown): ParsedApiKey {
  if (!isObject(record)) return { faults: [{ field: null, problem: 'must be an object' }] };
  const faults: Fault[] = [];
  const fields = new Fields(record, '', faults);
  fields.refuseUnknown(RECORD_FIELDS);
  if (record.type !== undefined) fields.read('type', oneOf(['api_key']), 'must be api_key');
  const key: ApiKey = {
    id: fields.read('id', parseId<ApiKeyId>, ID_RULE),
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
      `${ID_RULE}, or null for the default workspace`,
    ),
  };
  if (faults.length === 0) faults.push(...keyMaterialIn(key));
  return faults.length > 0 ? { faults } : { key };
}

function parseCreator(value: unknown, faults: Fault[]): Creator | undefined {
  if (!isObject(value)) return undefined;
  const fields = new Fields(value, 'created_by.', faults);
  fields.refuseUnknown(CREATOR_FIELDS);
  return {
    id: fields.read('id', parseId<CreatorId>, ID_RULE),
    type: fields.read('type', oneOf(CREATOR_TYPES), `must be one of ${CREATOR_TYPES.join(', ')}`),
  };
}

function parseWorkspaceId(value: unknown): WorkspaceId | null | undefined {
  return value === null ? null : parseId<WorkspaceId>(value);
}

/** A secret that was put into a name or an ID by mistake would be stored, listed and logged. */
function* keyMaterialIn({ id, name, createdBy, workspaceId, partialKeyHint }: ApiKey): Generator<Fault> {
  const texts = { id, name, 'created_by.id': createdBy.id, workspace_id: workspaceId ?? '' };
  for (const [field, text] of Object.entries(texts)) {
    if (containsAdminKey(text))
      yield { field, problem: 'contains an admin key: revoke it and fix the record' };
    else if (containsMaskedKey(partialKeyHint, text))
      yield { field, problem: 'contains the key that partial_key_hint masks' };
  }
}

function oneOf<T extends string>(values: readonly T[]): (value: unknown) => T | undefined {
  return value => values.find(known => known === value);
}
