import type { ApiKeyRecord } from '../../shared/record/api-key-record.ts';
import { formatTimestamp } from '../../shared/record/timestamp.ts';
import type { ApiKey } from './api-key.ts';

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
