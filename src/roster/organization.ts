import type { OrganizationId } from './identifier.ts';
import type { Timestamp } from './timestamp.ts';

/** The tenant: every API key and every admin key belongs to one. */
export interface Organization {
  readonly id: OrganizationId;
  readonly name: string;
  readonly createdAt: Timestamp;
}
