import type { Filter } from './filters.ts';
import type { ApiKeyId } from './identifier.ts';

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
