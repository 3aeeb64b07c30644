import type { Duration } from '../../../shared/record/duration.ts';
import type { AdminKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import type { AdminKey, Rotation } from '../admin-key.ts';
import type { CreationPosition } from '../walks.ts';
import type { AdminKeyCopies } from './given-admin-key.ts';

export interface AdminKeyWriter {
  /** Refuses an unknown organization. */
  createAdminKey(key: AdminKey): Promise<void>;
  /** Makes these of another store as they are, or brings them up to date: see `copiesOf`. Refuses an unknown organization. */
  copyAdminKeys(keys: readonly AdminKey[]): Promise<AdminKeyCopies>;
  /** The keys of one organization, or of all (`null`), in the same way. Refuses an unknown organization. */
  listAdminKeys(
    organization: OrganizationId | null,
    after: CreationPosition,
    limit: number,
  ): Promise<readonly AdminKey[]>;
  /** Refuses an unknown ID. A key that is revoked already keeps its time of revocation. */
  revokeAdminKey(id: AdminKeyId, at: Timestamp): Promise<AdminKey>;
  /**
   * Makes another key of the same organization, name, networks and lifetime, and ends this one after the overlap. Refuses an
   * unknown ID, and a key that is revoked, expired or rotated already (see `rotated`).
   */
  rotateAdminKey(id: AdminKeyId, rotation: Rotation, overlap: Duration): Promise<RotatedAdminKey>;
}

export interface RotatedAdminKey {
  readonly old: AdminKey;
  readonly new: AdminKey;
}
