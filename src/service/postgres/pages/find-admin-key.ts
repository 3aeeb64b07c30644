import type { Timestamp } from '../../../shared/record/timestamp.ts';
import { type AdminKey, scopeOfWorkspace } from '../../roster/admin-key.ts';
import { microseconds, timestampOf, timestamptz } from '../timestamp.ts';
import type { ReadPool } from './read-pool.ts';

/** Those of an `AdminKeyRow`, in its order. */
const COLUMNS = `pg_catalog.encode(digest, 'hex') AS hex, id, organization_id AS organization, name,
    last_characters AS ending, ${microseconds('created_at')} AS created, ${microseconds('expires_at')} AS expires,
    ${microseconds('revoked_at')} AS revoked, networks, replaced_by AS replacement,
    workspace_id AS workspace`;
export const SELECT_ADMIN_KEY = `SELECT ${COLUMNS} FROM keyroster.admin_keys`;

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
  workspaceId: string | null,
];

export function adminKeyOf(row: AdminKeyRow): AdminKey {
  const [digest, id, organizationId, name, lastCharacters, createdAt, expiresAt, revokedAt, ...later] = row;
  const [networks, replacedBy, workspaceId] = later;
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
    scope: scopeOfWorkspace(workspaceId),
  } satisfies Record<keyof AdminKey, unknown> as unknown as AdminKey;
}

const VALID = `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) AND NOT EXISTS
  (SELECT FROM keyroster.disabled_organizations WHERE disabled_organizations.organization_id = admin_keys.organization_id)`;

export async function findAdminKey(
  { lookups, places }: Pick<ReadPool, 'lookups' | 'places'>,
  digest: Uint8Array,
  at: Timestamp,
): Promise<AdminKey | null> {
  const { shardSql } = places;
  const text = `SELECT ${shardSql ?? 'NULL'}, ${COLUMNS} FROM keyroster.admin_keys WHERE digest = $1 AND ${VALID}`;
  const name = shardSql === null ? 'keyroster_find_admin_key' : 'keyroster_find_admin_key_and_shard';
  const values = [Buffer.from(digest), timestamptz(at)];
  const [found] = await lookups.rows<[shard: string | null, ...AdminKeyRow]>({ name, text, values });
  if (!found) return null;
  const [shard, ...row] = found;
  const key = adminKeyOf(row);
  places.foundShard(key.organizationId, shard);
  return key;
}
