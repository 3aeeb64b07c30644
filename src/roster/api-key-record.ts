import type { ApiKey, CreatorType, Status } from './api-key.ts';
import { formatTimestamp } from './timestamp.ts';

/** An API key in JSON, as the API returns it and an import reads it (docs/api.md#the-record). */
export interface ApiKeyRecord {
  readonly id: string;
  readonly type: 'api_key';
  readonly name: string;
  /** RFC 3339, UTC, six decimals. */
  readonly created_at: string;
  readonly created_by: CreatorRecord;
  readonly partial_key_hint: string;
  readonly status: Status;
  readonly workspace_id: string | null;
}

export interface CreatorRecord {
  readonly id: string;
  readonly type: CreatorType;
}

/** All fields of a record. */
export const RECORD_FIELDS = Object.keys({
  id: true,
  type: true,
  name: true,
  created_at: true,
  created_by: true,
  partial_key_hint: true,
  status: true,
  workspace_id: true,
} satisfies Record<keyof ApiKeyRecord, true>);

export const CREATOR_FIELDS = Object.keys({
  id: true,
  type: true,
} satisfies Record<keyof CreatorRecord, true>);

/** The fields of the contract. */
function contractRecordOf(key: ApiKey): ApiKeyRecord {
  return {
    id: key.id,
    type: 'api_key',
    name: key.name,
    created_at: formatTimestamp(key.createdAt),
    created_by: { id: key.createdBy.id, type: key.createdBy.type },
    partial_key_hint: key.partialKeyHint,
    status: key.status,
    workspace_id: key.workspaceId,
  };
}

/** The same, and after it the declared fields. */
export function recordOf(key: ApiKey): ApiKeyRecord {
  const record = contractRecordOf(key);
  if (!key.declared) return record;
  return { ...record, ...Object.fromEntries(key.declared.map(({ field, value }) => [field.name, value])) };
}

/** Without the declared fields, which a store keeps by themselves. */
export function renderContractRecord(key: ApiKey): string {
  return JSON.stringify(contractRecordOf(key));
}

export function renderApiKey(key: ApiKey): string {
  return JSON.stringify(recordOf(key));
}
