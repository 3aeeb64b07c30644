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
  /** From this time on the key is not valid; `null`: it doesn't expire. */
  readonly expiresAt: Timestamp | null;
  readonly revokedAt: Timestamp | null;
}

/** The stored form of an admin key that was just issued. */
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

/** Whether the caller sent this key's secret, given the digest of what was sent, and the key is valid now. */
export function isValid(key: AdminKey, digest: Uint8Array, now: Timestamp): boolean {
  const same = timingSafeEqual(key.digest, digest);
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  return same && !expired && key.revokedAt === null;
}
