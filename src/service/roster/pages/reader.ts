import type { OrganizationId } from '../../../shared/record/identifier.ts';
import type { ListQuery } from '../../../shared/record/list-query.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import type { AdminKey } from '../admin-key.ts';
import type { DeclaredField } from '../declared-fields.ts';
import type { JoinedPage } from './joined-page.ts';
import type { RosterReader } from './page.ts';

/** A `RosterReader` whose pages are ready to be sent. */
export interface PageReader extends RosterReader {
  listApiKeys(organization: OrganizationId, query: ListQuery): Promise<JoinedPage | null>;
}

/** Finds the admin keys that may list an organization's roster. */
export interface AdminKeyReader {
  /**
   * The admin key with this digest (SHA-256, 32 bytes); `null` when it is unknown, revoked, expired at this time, or of a disabled
   * organization. The lookup itself excludes these, so that its duration doesn't tell them from unknown ones. Throws
   * `StoreUnavailable` and `StoreBusy`.
   */
  findAdminKey(digest: Uint8Array, at: Timestamp): Promise<AdminKey | null>;
}

/** All that the service reads of a store of ours. */
export interface StoreReader extends PageReader, AdminKeyReader {
  /**
   * What doesn't work while the rest is served, for the operator. Throws `StoreUnavailable` when the store can't be read or its
   * schema isn't that of this release.
   */
  checkReadiness(): Promise<readonly string[]>;

  /** The declared fields that records have, in the order of their numbers. */
  listFields(): Promise<readonly DeclaredField[]>;

  close(): Promise<void>;
}
