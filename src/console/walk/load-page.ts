import { checkedRecords } from '../../admin/report/readable-record.ts';
import { firstOf } from '../../admin/report/status-counts.ts';
import type { ApiKeyRecord, KeyrosterClient } from '../../client/client.ts';
import { LIMIT, LIMIT_RULE, parseLimit } from '../../shared/record/list-query.ts';
import { CannotFilter } from './cannot-filter.ts';
import { oldestFirst } from './orders.ts';
import { type RosterQuery, serviceParametersOf, withoutCursor } from './query.ts';
import { type Walk, type WalkSource, walkOfQuery } from './walk.ts';

export interface LoadedPage {
  readonly query: RosterQuery;
  /** Newest first. */
  readonly keys: readonly ApiKeyRecord[];
  /** Whether there may be newer keys than these. */
  readonly newer: boolean;
  readonly older: boolean;
  /** How many keys the list has; `undefined`: only a part of it was read. */
  readonly total: number | undefined;
}

/** A page that is loaded by one request, as the operation filters by all of the query. Rejects with a `KeyrosterError`. */
export async function loadPage(
  { client }: { readonly client: KeyrosterClient },
  query: RosterQuery,
  signal: AbortSignal,
): Promise<LoadedPage> {
  const page = await client.apiKeys.list(serviceParametersOf(query), { signal });
  return pageOf(query, checkedRecords(page.data), page.has_more);
}

/**
 * Loads a page of a query that the console filters too: it reads on until the page is full. `page` gives what was found so far.
 * Throws `CannotFilter`.
 */
export function walkToPage(source: WalkSource, query: RosterQuery): { walk: Walk; page: () => LoadedPage } {
  const limit = parseLimit(query.limit ?? String(LIMIT.default));
  if (limit === undefined) throw new CannotFilter(`limit: ${LIMIT_RULE}`);
  if (query.oldest_by !== undefined) return walkToOldest(source, query, limit);
  const backward = query.before_id !== undefined;
  let found: readonly ApiKeyRecord[] = [];
  const walk = walkOfQuery(source, query, keys => {
    found = backward ? [...keys, ...found] : [...found, ...keys];
    return found.length > limit; // one more tells that there is more
  });
  const page = () => {
    const keys = backward ? found.slice(-limit) : found.slice(0, limit);
    return pageOf(query, keys, found.length > limit);
  };
  return { walk, page };
}

/** The first keys in another order than that of the service, for which all of the list is read. It has no other page. */
function walkToOldest(source: WalkSource, query: RosterQuery, limit: number): ReturnType<typeof walkToPage> {
  const order = oldestFirst(query.oldest_by ?? '');
  let keys: readonly ApiKeyRecord[] = [];
  let total = 0;
  const walk = walkOfQuery(source, withoutCursor(query), page => {
    keys = firstOf([...keys, ...page], limit, order);
    total += page.length;
  });
  return { walk, page: () => ({ query, keys, newer: false, older: false, total }) };
}

/**
 * `more` is about the direction of the query. In the other direction there is at least the key that the cursor names: it was shown on
 * the page before.
 */
function pageOf(query: RosterQuery, keys: readonly ApiKeyRecord[], more: boolean): LoadedPage {
  const backward = query.before_id !== undefined;
  const newer = backward ? more : query.after_id !== undefined;
  const older = backward || more;
  return { query, keys, newer, older, total: newer || older ? undefined : keys.length };
}
