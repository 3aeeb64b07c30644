import { timingSafeEqual } from 'node:crypto';
import type { Duration } from '../../shared/record/duration.ts';
import { Refused } from '../../shared/record/faults.ts';
import {
  type AdminKeyId,
  newId,
  type OrganizationId,
  type WorkspaceId,
} from '../../shared/record/identifier.ts';
import { formatTimeOrNull, formatTimestamp, LATEST, type Timestamp } from '../../shared/record/timestamp.ts';
import type { AdminKeySecret } from './admin-key-secret.ts';

/** An admin key as a store keeps it: a digest, never the secret. */
export interface AdminKey {
  readonly id: AdminKeyId;
  readonly organizationId: OrganizationId;
  /** The part of the organization that it lists, for good; `null`: all of it. */
  readonly scope: { readonly workspaceId: WorkspaceId } | null;
  readonly name: string;
  /** The last characters of the secret, to tell keys apart in a list. */
  readonly lastCharacters: string;
  /** SHA-256 of the secret, 32 bytes. */
  readonly digest: Uint8Array;
  readonly createdAt: Timestamp;
  /** From this time on the key is not valid; `null`: it doesn't expire. */
  readonly expiresAt: Timestamp | null;
  readonly revokedAt: Timestamp | null;
  /** The addresses and networks that it may come from; `null`: any. Never empty. */
  readonly networks: readonly string[] | null;
  /** The key that it was rotated to. */
  readonly replacedBy: AdminKeyId | null;
}

/** The stored form of an admin key that was just issued. */
export function newAdminKey(
  secret: AdminKeySecret,
  key: Pick<AdminKey, 'organizationId' | 'scope' | 'name' | 'createdAt'> &
    Partial<Pick<AdminKey, 'expiresAt' | 'networks'>>,
): AdminKey {
  return {
    expiresAt: null,
    networks: null,
    ...key,
    ...newRotation(secret, key.createdAt),
    revokedAt: null,
    replacedBy: null,
  };
}

export const EXPIRY_RULE = 'must lie in the future';

/** The time, unless a key that expires then would never be valid. */
export function futureExpiry(time: Timestamp, now: Timestamp): Timestamp | undefined {
  return time > now ? time : undefined;
}

/** The workspace as a store keeps it. */
export function workspaceOf({ scope }: Pick<AdminKey, 'scope'>): WorkspaceId | null {
  return scope === null ? null : scope.workspaceId;
}

/** The opposite. A value that isn't there would be no scope: it throws. */
export function scopeOfWorkspace(workspaceId: unknown): AdminKey['scope'] {
  if (workspaceId === null) return null;
  if (typeof workspaceId !== 'string') throw new TypeError('admin key: its workspace was not read');
  return { workspaceId: workspaceId as WorkspaceId };
}

/** What a new key gets that another is rotated to; the rest it has from that one. */
export type Rotation = Pick<AdminKey, 'id' | 'digest' | 'lastCharacters' | 'createdAt'>;

export function newRotation(secret: AdminKeySecret, createdAt: Timestamp): Rotation {
  return {
    id: newId('adminkey'),
    digest: secret.digest(),
    lastCharacters: secret.lastCharacters(),
    createdAt,
  };
}

/**
 * Both keys of a rotation: the old one, which ends after the overlap and never later than it did, and the new one with the same
 * organization, scope, name and networks. If the old one expires, the new one lives for as long as that one was to. Throws
 * `Refused` for a key that isn't valid, or that was rotated before: its expiry isn't the one that it was made with.
 */
export function rotated(
  old: AdminKey,
  rotation: Rotation,
  overlap: Duration,
): { old: AdminKey; new: AdminKey } {
  const now = rotation.createdAt;
  if (old.revokedAt !== null) throw notRotated('it is revoked: create another');
  if (old.expiresAt !== null && old.expiresAt <= now) throw notRotated('it has expired: create another');
  if (old.replacedBy !== null)
    throw notRotated(`it was rotated before, to ${old.replacedBy}: rotate that one`);
  const end = (now + overlap) as Timestamp;
  const endsAt = old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end;
  const lifetime = (old.expiresAt ?? 0n) - old.createdAt;
  const newEnd = (now + lifetime > LATEST ? LATEST : now + lifetime) as Timestamp;
  const expiresAt = old.expiresAt === null ? null : newEnd;
  return {
    old: { ...old, expiresAt: endsAt, replacedBy: rotation.id },
    new: { ...old, ...rotation, expiresAt },
  };
}

function notRotated(why: string): Refused {
  return new Refused(`admin key: ${why}`);
}

/** How far the clock that a key was made by may be ahead. A creation later than that would put off the max age. */
const MAX_CLOCK_LEAD = 86_400_000_000n;

/**
 * Whether the caller sent this key's secret, given the digest of what was sent, and the key is valid now: also when no key may be
 * older than `maxAge`; then one whose creation is to come isn't valid either.
 */
export function isValid(
  key: AdminKey,
  digest: Uint8Array,
  now: Timestamp,
  maxAge: Duration | null = null,
): boolean {
  const same = timingSafeEqual(key.digest, digest);
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  const age = now - key.createdAt;
  const tooOld = maxAge !== null && (age >= maxAge || age < -MAX_CLOCK_LEAD);
  return same && !expired && !tooOld && key.revokedAt === null;
}

/** An admin key in JSON: never its secret, which is given once, when the key is made. */
export interface AdminKeyRecord {
  readonly id: string;
  readonly organization_id: string;
  /** The workspace whose keys it lists; `null`: it lists the whole organization. */
  readonly workspace_id: string | null;
  readonly name: string;
  readonly last_characters: string;
  /** Times are RFC 3339, UTC, six decimals. */
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly networks: readonly string[] | null;
  readonly replaced_by: string | null;
}

export function adminKeyRecord(key: AdminKey): AdminKeyRecord {
  return {
    id: key.id,
    organization_id: key.organizationId,
    workspace_id: workspaceOf(key),
    name: key.name,
    last_characters: key.lastCharacters,
    created_at: formatTimestamp(key.createdAt),
    expires_at: formatTimeOrNull(key.expiresAt),
    revoked_at: formatTimeOrNull(key.revokedAt),
    networks: key.networks,
    replaced_by: key.replacedBy,
  };
}
