import type { Timestamp } from '../../shared/record/timestamp.ts';
import type { AdminKey } from '../roster/admin-key.ts';
import type { Reads } from './serving/reads.ts';
import { microseconds, timestampOf, timestamptz } from './timestamp.ts';

/** The columns of an `AdminKeyRow`, in its order. */
export const SELECT_ADMIN_KEY = `SELECT encode(digest, 'hex') AS hex, id, organization_id AS organization, name,
    last_characters AS ending, ${microseconds('created_at')} AS created, ${microseconds('expires_at')} AS expires,
    ${microseconds('revoked_at')} AS revoked, networks, replaced_by AS replacement, last_used_on::text AS used
  FROM keyroster.admin_keys`;

export type AdminKeyRow = [
  digest: string,
  id: string,
  organizationId: string,
  name: string,
  lastCharacters: string,
  createdAt: string,
  expiresAt: string | null,
  revokedAt: string | null,
  networks: string | null,
  replacedBy: string | null,
  lastUsedOn: string | null,
];

export function adminKeyOf(row: AdminKeyRow): AdminKey {
  const [digest, id, organizationId, name, lastCharacters, createdAt, expiresAt, revokedAt, ...later] = row;
  const [networks, replacedBy, lastUsedOn] = later;
  return {
    digest: Buffer.from(digest, 'hex'),
    id,
    organizationId,
    name,
    lastCharacters,
    createdAt: timestampOf(createdAt),
    expiresAt: expiresAt === null ? null : timestampOf(expiresAt),
    revokedAt: revokedAt === null ? null : timestampOf(revokedAt),
    networks: networks === null ? null : networks.split(','),
    replacedBy,
    lastUsedOn,
  } as unknown as AdminKey;
}

const VALID = `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) AND NOT EXISTS
  (SELECT FROM keyroster.disabled_organizations WHERE disabled_organizations.organization_id = admin_keys.organization_id)`;

export async function findAdminKey(
  reads: Reads,
  digest: Uint8Array,
  at: Timestamp,
): Promise<AdminKey | null> {
  const text = `${SELECT_ADMIN_KEY} WHERE digest = $1 AND ${VALID}`;
  const values = [Buffer.from(digest), timestamptz(at)];
  const [row] = await reads.rows<AdminKeyRow>({ name: 'keyroster_find_admin_key', text, values });
  return row ? adminKeyOf(row) : null;
}
