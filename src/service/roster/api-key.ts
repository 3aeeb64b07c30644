import type { ApiKeyRecord, CreatorType } from '../../shared/record/api-key-record.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../shared/record/identifier.ts';
import type { PartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import type { Status } from '../../shared/record/status.ts';
import { formatTimestamp, type Timestamp } from '../../shared/record/timestamp.ts';
import type { Declared } from './declared-fields.ts';

/** A listed API key (docs/api.md#the-record). No field can hold the key itself. */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly name: string;
  readonly createdAt: Timestamp;
  readonly createdBy: Creator;
  readonly partialKeyHint: PartialKeyHint;
  readonly status: Status;
  /** `null`: the organization's default workspace. */
  readonly workspaceId: WorkspaceId | null;
  /** Of each declared field, in their order; absent: none are declared. */
  readonly declared?: readonly Declared[];
}

export interface Creator {
  readonly id: CreatorId;
  readonly type: CreatorType;
}

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
