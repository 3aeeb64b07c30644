import type { OrganizationId } from './identifier.ts';
import type { ListQuery } from './list-query.ts';
import type { Page } from './page.ts';

/**
 * Lists API keys out of a store: all that a store of your own has to implement. `keyroster/conformance` checks what is
 * promised here:
 *
 * - One order: newest first, by creation time to the microsecond, then by ID, both descending, IDs compared as bytes. A page
 *   is in this order, whichever direction it was asked for.
 * - `after` a cursor: the keys that come next to it in the order; `before` it: those that come immediately before.
 * - A cursor is a position, not a match: it need not pass the filter. It stays valid while keys are added and changed, so a
 *   walk misses and repeats nothing. For that a key's ID and creation time must never change.
 * - What one organization sees depends on its own keys only.
 */
export interface RosterReader {
  /**
   * The page that the query asks for; `null` when its cursor isn't an API key of this organization, be it unknown or another
   * organization's. An organization without API keys has an empty page. Throws `StoreUnavailable` when the store can't be
   * reached, and `StoreBusy` when it can't answer in time: both are a 503. Any other error is a 500.
   */
  listApiKeys(organization: OrganizationId, query: ListQuery): Promise<Page | null>;
}
