import type { Filter } from './filters.ts';
import type { ApiKeyId, OrganizationId } from './identifier.ts';
import type { Page } from './page.ts';

/** Items per page (docs/api.md#parameters). */
export const LIMIT = { default: 20, min: 1, max: 1000 } as const;

/** A request for a page. Every value is parsed and within its rule. */
export interface ListQuery {
  /** A whole number within `LIMIT`. */
  readonly limit: number;
  /** `null`: the first page. */
  readonly cursor: Cursor | null;
  readonly filter: Filter;
}

/** A position in the order, given by a key that need not match the filter. */
export interface Cursor {
  readonly direction: Direction;
  readonly id: ApiKeyId;
}

/** Which side of the cursor to list. The page is newest first in both directions. */
export type Direction = 'after' | 'before';

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
