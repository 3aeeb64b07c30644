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
}

export function organizationRecord({ id, name, createdAt }: Organization): OrganizationRecord {
  return { id, name, created_at: formatTimestamp(createdAt) };
}
