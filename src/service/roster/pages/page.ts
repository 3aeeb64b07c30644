import type { ApiKeyRecord } from '../../../shared/record/api-key-record.ts';
import { problemTexts } from '../../../shared/record/faults.ts';
import type { ApiKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import type { ListQuery } from '../../../shared/record/list-query.ts';
import { type ApiKey, renderApiKey } from '../api-key.ts';
import { parseApiKey } from '../parse-api-key.ts';
import { isVisible } from './visible.ts';

/** A page of a roster, always newest first. */
export interface Page {
  readonly items: readonly PageItem[];
  /** Whether more keys match: before the first item for a `before` cursor, otherwise after the last. Always exact. */
  readonly hasMore: boolean;
}

/**
 * Lists API keys out of a store: all that a store of your own has to implement. `keyroster/conformance` checks what is
 * promised here:
 *
 * - One order: newest first, by creation time to the microsecond, then by ID, both descending, IDs compared as bytes, or as
 *   numbers where all are whole numbers. A page is in this order, whichever direction it was asked for.
 * - `after` a cursor: the keys that come next to it in the order; `before` it: those that come immediately before.
 * - A cursor is a position, not a match: it need not pass the filter. It stays valid while keys are added and changed, so a
 *   walk misses and repeats nothing. For that a key's ID and creation time must never change.
 * - What one organization sees depends on its own keys only.
 */
export interface RosterReader {
  /**
   * The page that the query asks for; `null` when its cursor isn't an API key of this organization and of the query's scope, be it
   * unknown or another's. An organization without API keys has an empty page. Throws `StoreUnavailable` when the store can't be
   * reached, and `StoreBusy` when it can't answer in time: both are a 503. Any other error is a 500.
   */
  listApiKeys(organization: OrganizationId, query: ListQuery): Promise<Page | null>;
}

/** An API key with its JSON record. Our stores render it when the key is written; `pageItem` makes one from a record. */
export interface PageItem {
  readonly id: ApiKeyId;
  readonly record: string;
}

/**
 * The item of a page for this record. `created_at` may be any RFC 3339 timestamp. Throws a `TypeError` that names the fields
 * and the rules they break, for example when a record has another field, or a key where its masked hint belongs. So no key
 * material is listed by mistake.
 */
export function pageItem(record: ApiKeyRecord): PageItem {
  const key = keyOfRecord(record);
  const item = Object.freeze({ id: key.id, record: renderApiKey(key) });
  made.set(item, key);
  return item;
}

export function keyOfRecord(record: ApiKeyRecord): ApiKey {
  const parsed = parseApiKey(record);
  if ('key' in parsed) return parsed.key;
  throw new TypeError(problemTexts(parsed.faults).join('; '));
}

/** The keys of what `pageItem` made, so that a page of another's can be told from one with items of its own making. */
const made = new WeakMap<PageItem, ApiKey>();

function isPageItem(item: unknown): item is PageItem {
  return typeof item === 'object' && item !== null && made.has(item as PageItem);
}

/** What another's page should have been for this query, whatever its store has; `null`: it may be right. */
export function requiredOfPage(page: unknown, query: ListQuery): string | null {
  const { limit, cursor } = query;
  if (page === null) return cursor ? null : 'a page where no cursor was given';
  const { items, hasMore } = Object(page);
  if (typeof hasMore !== 'boolean' || !Array.isArray(items)) return 'null or { items, hasMore }';
  const all = Array.from(items); // with the holes that an array may have
  if (!all.every(isPageItem)) return 'items that pageItem has made';
  if (all.length > limit) return 'at most limit items';
  if (hasMore && all.length < limit) return 'as many items as limit where hasMore is true';
  const ids = new Set(all.map(({ id }) => id));
  if (ids.size < all.length) return 'each API key once';
  // A filter isn't a matter of trust: `keyroster/conformance` checks those.
  if (!all.every(item => isVisible(made.get(item) as ApiKey, query)))
    return 'only keys within query.scope and query.created';
  return cursor && ids.has(cursor.id) ? 'a page without its cursor' : null;
}

/** Whether the first ID is the greater one. IDs are ASCII, so comparing texts compares bytes. */
export type IsGreater = (a: string, b: string) => boolean;
export const isGreaterText: IsGreater = (a, b) => a > b;

/** A table that counts its keys can't sort their numbers as text. */
export const isWholeNumber = (id: string) => /^[1-9][0-9]*$/.test(id);
export const isGreaterNumber: IsGreater = (a, b) => (a.length === b.length ? a > b : a.length > b.length);

/** Whether items that `pageItem` made are in the one order, which for whole numbers may be either. */
export function areNewestFirst(items: readonly PageItem[]): boolean {
  const areNumbers = items.every(({ id }) => isWholeNumber(id));
  return areOrdered(items, isGreaterText) || (areNumbers && areOrdered(items, isGreaterNumber));
}

function areOrdered(items: readonly PageItem[], isGreater: IsGreater): boolean {
  return items.every((item, index) => {
    const before = items[index - 1];
    if (before === undefined) return true;
    const [created, createdBefore] = [made.get(item)?.createdAt ?? 0n, made.get(before)?.createdAt ?? 0n];
    if (created !== createdBefore) return created < createdBefore;
    return isGreater(before.id, item.id);
  });
}
