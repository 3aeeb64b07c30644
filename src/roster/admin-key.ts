import { timingSafeEqual } from 'node:crypto';
import type { AdminKeySecret } from './admin-key-secret.ts';
import { type AdminKeyId, newId, type OrganizationId } from './identifier.ts';
import type { Timestamp } from './timestamp.ts';

/** An admin key as a store keeps it: a digest, never the secret. */
export interface AdminKey {
  readonly id: AdminKeyId;
  readonly organizationId: OrganizationId;
  readonly name: string;
  /** The last characters of the secret, to tell keys apart in a list. */
  readonly lastCharacters: string;
  /** SHA-256 of the secret, 32 bytes. */
  readonly digest: Uint8Array;
  readonly createdAt: Timestamp;
  /** The first moment at which it no longer works; `null`: never. */
  readonly expiresAt: Timestamp | null;
  readonly revokedAt: Timestamp | null;
}

/** What a store is to keep of an admin key that was just issued. */
export function newAdminKey(
  secret: AdminKeySecret,
  key: Pick<AdminKey, 'organizationId' | 'name' | 'createdAt'> & Partial<Pick<AdminKey, 'expiresAt'>>,
): AdminKey {
  return {
    expiresAt: null,
    ...key,
    id: newId('adminkey'),
    lastCharacters: secret.lastCharacters(),
    digest: secret.digest(),
    revokedAt: null,
  };
}

/** Whether the key is valid at this moment, given the digest of what the caller sent. */
export function isValid(key: AdminKey, digest: Uint8Array, now: Timestamp): boolean {
  const same = timingSafeEqual(key.digest, digest);
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  return same && !expired && key.revokedAt === null;
}
