import type { ApiKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import type {
  DeletionStep,
  Organization,
  OrganizationContents,
  StoredOrganization,
} from '../organization.ts';
import type { CreationPosition } from '../walks.ts';

export interface OrganizationWriter {
  /** Refuses an ID that exists. */
  createOrganization(organization: Organization): Promise<void>;
  /** Those behind this position, oldest first, at most `limit`. See `walkByCreation`. */
  listOrganizations(after: CreationPosition, limit: number): Promise<readonly StoredOrganization[]>;
  /** Refuses an unknown ID. */
  findOrganization(id: OrganizationId): Promise<StoredOrganization>;
  /** Refuses an unknown organization, and one that is being deleted. So do the next two. */
  renameOrganization(id: OrganizationId, name: string): Promise<StoredOrganization>;
  /** From now on its admin keys are as unknown ones. One that is disabled already keeps its time. */
  disableOrganization(id: OrganizationId, at: Timestamp): Promise<StoredOrganization>;
  enableOrganization(id: OrganizationId): Promise<StoredOrganization>;
  /** What goes with the organization when it is deleted. Refuses an unknown organization. */
  findContents(id: OrganizationId): Promise<OrganizationContents>;
  /**
   * Does the next step of a deletion: see `deleteOrganization`, which does all. Each is a short transaction. The first marks the
   * organization as disabled and being deleted, for good. Each of the others deletes some rows, and the last the organization.
   * Refuses an unknown organization.
   */
  deleteNext(id: OrganizationId, at: Timestamp, after: ApiKeyId | null): Promise<DeletionStep>;
}
