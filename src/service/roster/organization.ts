import type { ApiKeyId, OrganizationId } from '../../shared/record/identifier.ts';
import { formatTimeOrNull, formatTimestamp, type Timestamp } from '../../shared/record/timestamp.ts';

/** The tenant: every API key and every admin key belongs to one. */
export interface Organization {
  readonly id: OrganizationId;
  readonly name: string;
  readonly createdAt: Timestamp;
}

/** An organization as a store has it. */
export interface StoredOrganization extends Organization {
  /** Since when its admin keys are refused; `null`: they aren't. */
  readonly disabledAt: Timestamp | null;
  /** Since when it is being deleted. */
  readonly deletedAt: Timestamp | null;
}

/** An organization in JSON. */
export interface OrganizationRecord {
  readonly id: string;
  readonly name: string;
  /** RFC 3339, UTC, six decimals. */
  readonly created_at: string;
  /** Since when its admin keys are refused. */
  readonly disabled_at: string | null;
  /** Since when it is being deleted. */
  readonly deleted_at: string | null;
}

export function organizationRecord(organization: StoredOrganization): OrganizationRecord {
  return {
    id: organization.id,
    name: organization.name,
    created_at: formatTimestamp(organization.createdAt),
    disabled_at: formatTimeOrNull(organization.disabledAt),
    deleted_at: formatTimeOrNull(organization.deletedAt),
  };
}

/** An organization that was just created, as the store has it. */
export function newOrganization(organization: Organization): StoredOrganization {
  return { ...organization, disabledAt: null, deletedAt: null };
}

/** A step of a deletion deletes this many rows at most: a tenth of a second, for which other writers of the embedded store wait. */
export const ROWS_PER_STEP = 2_000;

export interface OrganizationContents {
  readonly apiKeys: number;
  readonly adminKeys: number;
}

export interface DeletionStep {
  /** Whether this step was the first. */
  readonly begun: boolean;
  /** How many API keys it deleted. */
  readonly apiKeys: number;
  /** Those up to this ID are gone, so that the next step needn't look there first. */
  readonly after: ApiKeyId | null;
  /** Whether the organization is gone. */
  readonly done: boolean;
}

interface Store {
  deleteNext(id: OrganizationId, at: Timestamp, after: ApiKeyId | null): Promise<DeletionStep>;
}

/**
 * Deletes an organization in steps, none of which holds a lock for long. A run that is stopped is completed by the next.
 *
 * @param onProgress is told the number of API keys that were deleted so far.
 */
export async function deleteOrganization(
  store: Store,
  id: OrganizationId,
  at: Timestamp,
  onProgress: (apiKeys: number) => void,
): Promise<void> {
  let apiKeys = 0;
  let step: DeletionStep | undefined;
  while (!step?.done) {
    step = await store.deleteNext(id, at, step?.after ?? null);
    apiKeys += step.apiKeys;
    onProgress(apiKeys);
  }
}
