import type { OrganizationId } from './identifier.ts';
import { formatTimestamp, type Timestamp } from './timestamp.ts';

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

export function organizationRecord({
  id,
  name,
  createdAt,
  disabledAt,
  deletedAt,
}: StoredOrganization): OrganizationRecord {
  return {
    id,
    name,
    created_at: formatTimestamp(createdAt),
    disabled_at: disabledAt === null ? null : formatTimestamp(disabledAt),
    deleted_at: deletedAt === null ? null : formatTimestamp(deletedAt),
  };
}

/** An organization that was just created, as the store has it. */
export function newOrganization(organization: Organization): StoredOrganization {
  return { ...organization, disabledAt: null, deletedAt: null };
}
