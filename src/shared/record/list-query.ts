import { activeFilters, type Filter, filters } from './filters.ts';
import type { ApiKeyId } from './identifier.ts';
import { parseTimestamp, TIMESTAMP_RULE, type Timestamp } from './timestamp.ts';

/** Items per page (docs/api.md#parameters). */
export const LIMIT = { default: 20, min: 1, max: 1000 } as const;
export const LIMIT_RULE = `must be a whole number from ${LIMIT.min} to ${LIMIT.max}`;

/** Decimal digits without a sign, leading zeros, a fraction or an exponent. */
export function parseLimit(text: string): number | undefined {
  const limit = /^[1-9]\d*$/.test(text) ? Number(text) : 0;
  return limit >= LIMIT.min && limit <= LIMIT.max ? limit : undefined;
}

/** A request for a page. Every value is parsed and within its rule. */
export interface ListQuery {
  /** A whole number within `LIMIT`. */
  readonly limit: number;
  /** `null`: the first page. */
  readonly cursor: Cursor | null;
  readonly filter: Filter;
  /** Only keys that were created then; absent: at any time. */
  readonly created?: CreationRange;
  /** All that the caller may see of the organization; absent: everything. */
  readonly scope?: Scope;
}

/** Times from `from` on and before `before`, each of which may be absent. */
export interface CreationRange {
  readonly from?: Timestamp;
  readonly before?: Timestamp;
}

/** A part of an organization: the keys of a workspace, those of a creator, or both. For its caller no others exist. */
export type Scope = Pick<Filter, 'workspaceId' | 'creatorId'>;

/** As the filters that it amounts to: `workspace_id=wrkspc_1&created_by_user_id=user_1`. In an ID `%`, `&` and `+` are escaped, as in a URL. */
export function scopeText(scope: Filter): string {
  return activeFilters(scope)
    .map(name => `${filters[name].parameter}=${scope[name]?.replaceAll(/[%&+]/g, encodeURIComponent)}`)
    .join('&');
}

/** The same in words, of what a service says. */
export const scopeWords = (text: string) => text.replaceAll('&', ' and ');

/** What a key has to pass, filter and scope as one; `null`: they contradict each other, so no key does. */
export function filterInScope({ filter, scope }: { filter: Filter; scope?: Filter }): Filter | null {
  if (!scope) return filter;
  const contradicts = activeFilters(scope).some(name => (filter[name] ?? scope[name]) !== scope[name]);
  return contradicts ? null : { ...filter, ...scope };
}

export const CREATION_TIME_RULE = `${TIMESTAMP_RULE}, with at most six decimals (in a URL + is %2B)`;

export const CREATION_TIME_PATTERN = String.raw`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-]\d\d:\d\d)$`;
const CREATION_TIME = new RegExp(CREATION_TIME_PATTERN);

/** A bound of a `CreationRange`, to the microsecond as creation times are. */
export function parseCreationTime(text: string): Timestamp | undefined {
  return CREATION_TIME.test(text) ? parseTimestamp(text) : undefined;
}

/** A position in the order, given by a key that need not match the filter. */
export interface Cursor {
  readonly direction: Direction;
  readonly id: ApiKeyId;
}

/** Which side of the cursor to list. The page is newest first in both directions. */
export type Direction = 'after' | 'before';
