import type { AdminKey } from './admin-key.ts';
import { formatTimestamp, type Timestamp } from './timestamp.ts';

/** An admin key in JSON: never its secret, which is given once, when the key is made. */
export interface AdminKeyRecord {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly last_characters: string;
  /** Times are RFC 3339, UTC, six decimals. */
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly networks: readonly string[] | null;
  readonly replaced_by: string | null;
  /** The latest day, as `2024-10-30`. */
  readonly last_used_on: string | null;
}

export function adminKeyRecord(key: AdminKey): AdminKeyRecord {
  return {
    id: key.id,
    organization_id: key.organizationId,
    name: key.name,
    last_characters: key.lastCharacters,
    created_at: formatTimestamp(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
    revoked_at: timeOrNull(key.revokedAt),
    networks: key.networks,
    replaced_by: key.replacedBy,
    last_used_on: key.lastUsedOn,
  };
}

function timeOrNull(time: Timestamp | null): string | null {
  return time === null ? null : formatTimestamp(time);
}
