import type { ApiKeyRecord } from '../../shared/record/api-key-record.ts';
import type { WorkspaceId } from '../../shared/record/identifier.ts';
import { hasExpired } from '../../shared/record/lifecycle.ts';
import type { Status } from '../../shared/record/status.ts';
import type { JoinedPage } from '../roster/joined-page.ts';

/** An API key in version 2026-10-21, as the SDKs that send it type it (docs/api.md#version-2026-10-21). */
export interface ScopedRecord extends Omit<ApiKeyRecord, 'workspace_id' | 'status'> {
  readonly expires_at: string | null;
  /** Who the key acts as, which a roster doesn't know. */
  readonly principal: null;
  readonly scope: { readonly type: 'workspace'; readonly workspace_id: string };
  readonly status: Status | 'expired';
}

type StoredRecord = ApiKeyRecord & { readonly expires_at?: string | null };

/** Never kept: a key expires between two renderings of a page, and no write tells of it. */
export function renderScopedPage(
  { records, firstId, lastId, hasMore }: JoinedPage,
  defaultWorkspace: WorkspaceId,
  now = Date.now(),
): string {
  const stored: readonly StoredRecord[] = JSON.parse(`[${records}]`);
  const data = stored.map(record => scopedRecord(record, defaultWorkspace, now));
  return JSON.stringify({ data, first_id: firstId, last_id: lastId, has_more: hasMore });
}

function scopedRecord(stored: StoredRecord, defaultWorkspace: WorkspaceId, now: number): ScopedRecord {
  const { workspace_id, ...others } = stored;
  const own: ScopedRecord = {
    id: stored.id,
    type: stored.type,
    name: stored.name,
    created_at: stored.created_at,
    created_by: stored.created_by,
    expires_at: stored.expires_at ?? null,
    partial_key_hint: stored.partial_key_hint,
    principal: null,
    scope: { type: 'workspace', workspace_id: workspace_id ?? defaultWorkspace },
    status: hasExpired(stored, now) ? 'expired' : stored.status,
  };
  // Again at the end: a declared field may have the name of one of them.
  return { ...own, ...others, ...own };
}
