import { holdsAdminKey } from './admin-key.ts';
import {
  type ApiKey,
  CREATOR_TYPES,
  type CreatorType,
  isName,
  NAME_RULE,
  STATUSES,
  type Status,
} from './api-key.ts';
import type { Fault } from './errors.ts';
import { type ApiKeyId, type CreatorId, ID_RULE, parseId, type WorkspaceId } from './identifier.ts';
import { holdsTheKeyOf, PARTIAL_KEY_HINT_RULE, parsePartialKeyHint } from './partial-key-hint.ts';
import { formatTimestamp, parseTimestamp, TIMESTAMP_RULE } from './timestamp.ts';

/** The record as it goes over the wire, in and out (spec, section 2; contract, "The record"). */
export function renderApiKey(key: ApiKey): string {
  return JSON.stringify({
    id: key.id,
    type: 'api_key',
    name: key.name,
    created_at: formatTimestamp(key.createdAt),
    created_by: { id: key.createdBy.id, type: key.createdBy.type },
    partial_key_hint: key.partialKeyHint,
    status: key.status,
    workspace_id: key.workspaceId,
  });
}

const RECORD_FIELDS = new Set(
  ['id', 'type', 'name', 'created_at', 'created_by', 'partial_key_hint', 'status', 'workspace_id'], //
);
const CREATOR_FIELDS = new Set(['id', 'type']);

/** What a record turned out to be: an API key, or everything that is wrong with it (at least one fault). */
export type ParsedApiKey = { readonly key: ApiKey } | { readonly faults: readonly Fault[] };

/**
 * Reads one wire record, refusing whatever isn't exactly one: an unknown field, a missing one, a value outside
 * its rule, or key material in any place. A fault names the field and the rule, never the value, which may be
 * a secret.
 */
export function parseApiKey(record: unknown): ParsedApiKey {
  if (!isObject(record)) return { faults: [{ field: null, problem: 'must be a JSON object' }] };
  const faults = new Faults();
  const { created_by: creator } = record;
  faults.unknownFields(record, RECORD_FIELDS, '');
  if (isObject(creator)) faults.unknownFields(creator, CREATOR_FIELDS, 'created_by.');
  else faults.add('created_by', 'must be an object of id and type');
  const createdBy = isObject(creator) ? creator : undefined;

  faults.check(
    'type',
    record.type === undefined || record.type === 'api_key' ? 'api_key' : undefined,
    'must be api_key',
  );
  const id = faults.check('id', parseId<ApiKeyId>(record.id), ID_RULE);
  const name = faults.check('name', isName(record.name) ? record.name : undefined, NAME_RULE);
  const createdAt = faults.check('created_at', parseTimestamp(record.created_at), TIMESTAMP_RULE);
  const creatorId = createdBy && faults.check('created_by.id', parseId<CreatorId>(createdBy.id), ID_RULE);
  const creatorType =
    createdBy &&
    faults.check(
      'created_by.type',
      oneOf<CreatorType>(CREATOR_TYPES, createdBy.type),
      oneOfRule(CREATOR_TYPES),
    );
  const hint = faults.check(
    'partial_key_hint',
    parsePartialKeyHint(record.partial_key_hint),
    PARTIAL_KEY_HINT_RULE,
  );
  const status = faults.check('status', oneOf<Status>(STATUSES, record.status), oneOfRule(STATUSES));
  const workspaceId = faults.check(
    'workspace_id',
    record.workspace_id === null ? null : parseId<WorkspaceId>(record.workspace_id),
    `${ID_RULE}, or null for the default workspace`,
  );
  faults.keyMaterial({ id, name, 'created_by.id': creatorId, workspace_id: workspaceId }, hint);

  if (faults.found.length > 0) return { faults: faults.found };
  const key = {
    id,
    name,
    createdAt,
    createdBy: { id: creatorId, type: creatorType },
    partialKeyHint: hint,
    status,
    workspaceId,
  } as ApiKey; // no fault: every part was parsed
  return { key };
}

class Faults {
  readonly found: Fault[] = [];

  add(field: string | null, problem: string): void {
    this.found.push({ field, problem });
  }

  /** Passes a parsed value on; `undefined` means that the field broke its rule. */
  check<T>(field: string, parsed: T | undefined, rule: string): T | undefined {
    if (parsed === undefined) this.add(field, rule);
    return parsed;
  }

  unknownFields(object: Record<string, unknown>, known: ReadonlySet<string>, path: string): void {
    for (const field of Object.keys(object)) {
      if (!known.has(field))
        this.add(path + printableField(field), 'unknown field: an API key record has no such part');
    }
  }

  keyMaterial(
    fields: Record<string, string | null | undefined>,
    hint: Parameters<typeof holdsTheKeyOf>[0] | undefined,
  ): void {
    for (const [field, text] of Object.entries(fields)) {
      if (!text) continue;
      if (holdsAdminKey(text)) this.add(field, 'holds an admin key: revoke it and mend the record');
      else if (hint && holdsTheKeyOf(hint, text))
        this.add(field, 'holds the key that partial_key_hint masks');
    }
  }
}

/** A field's name for a message; one that is no ordinary name could itself be a secret. */
function printableField(field: string): string {
  return /^[A-Za-z][A-Za-z0-9_]{0,31}$/.test(field) ? field : '(unprintable)';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find(known => known === value);
}

function oneOfRule(values: readonly string[]): string {
  return `must be one of ${values.join(', ')}`;
}
