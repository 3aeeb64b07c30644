import type { Filter } from './filters.ts';
import type { ApiKeyId } from './identifier.ts';

/** Items per page (docs/api.md#parameters). */
export const LIMIT = { default: 20, min: 1, max: 1000 } as const;

/** One request for a page. Every part has been parsed: a `ListQuery` can't be wrong. */
export interface ListQuery {
  /** A whole number within `LIMIT`. */
  readonly limit: number;
  /** `null`: the first page. */
  readonly cursor: Cursor | null;
  readonly filter: Filter;
}

/** A position in the order: the key with this ID, whether or not it passes the filter. */
export interface Cursor {
  readonly direction: Direction;
  readonly id: ApiKeyId;
}

/** Which way from the cursor. The order of a page is the same in both. */
export type Direction = 'after' | 'before';
