import type { ApiKeyRecord } from '../../shared/record/api-key-record.ts';
import type { Status } from '../../shared/record/status.ts';
import type { AdminKeyRecord } from '../roster/admin-key.ts';
import type { OrganizationRecord } from '../roster/organization.ts';
import type { PutCounts, StatusCounts } from '../roster/writes/put-outcome.ts';

/** An API key to put: its record, of which `type` may be left out, and declared fields, of which one that is left out is `null`. */
export type PutRecord = ContractRecord | (ContractRecord & { readonly [declaredField: string]: unknown });

type ContractRecord = Omit<ApiKeyRecord, 'type'> & Partial<Pick<ApiKeyRecord, 'type'>>;

/** When a key was last used. */
export type Use = Pick<ApiKeyRecord, 'id'> & { readonly last_used_at: string };

/**
 * Each method is one act with its entry in the audit log: all of it is done, or nothing. It throws `Refused`, whose `faults` name
 * the fields, for what breaks a rule.
 */
export interface Writer {
  /**
   * Inserts API keys, or updates name, status, workspace, hint and declared fields of those that exist. Putting them again changes nothing. Refuses
   * what an import refuses, such as another creation time or creator. At most 1,000 at once.
   */
  put(organizationId: string, records: PutRecord | readonly PutRecord[]): Promise<PutCounts>;
  /**
   * Moves the last use of keys forward; an earlier one changes nothing. Not a change of the keys, so no entry in the audit log. Refuses
   * an unknown key, and all where `last_used_at` isn't declared. At most 1,000 at once.
   */
  recordUses(organizationId: string, uses: Use | readonly Use[]): Promise<Omit<PutCounts, 'inserted'>>;
  /** Refuses an unknown key, and another status for an archived one. */
  setStatus(organizationId: string, ids: string | readonly string[], status: Status): Promise<StatusCounts>;
  /** Refuses an ID that exists. Without one it makes one. */
  createOrganization(organization: { id?: string | undefined; name: string }): Promise<OrganizationRecord>;
  /** The one answer that has the secret, which is for the customer's admin. The store keeps a digest. */
  createAdminKey(organizationId: string, key?: NewAdminKey): Promise<AdminKeyRecord & { secret: string }>;
  /** For good. A key that is revoked already keeps its time. */
  revokeAdminKey(id: string): Promise<AdminKeyRecord>;
}

export interface NewAdminKey {
  /** What it is for. Default: `admin key`. */
  readonly name?: string | undefined;
  /** RFC 3339. Default: `null`, never. */
  readonly expires_at?: string | null | undefined;
  /** The addresses and networks that it may come from, 1 to 20. Default: `null`, any. */
  readonly networks?: readonly string[] | null | undefined;
  /** The only workspace whose keys it lists. Left out: it lists the whole organization; `undefined` and `null` are refused. */
  readonly workspace_id?: string;
}
