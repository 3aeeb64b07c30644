import type { Filter } from './filters.ts';
import type { ApiKeyId } from './identifier.ts';

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
}

/** A position in the order, given by a key that need not match the filter. */
export interface Cursor {
  readonly direction: Direction;
  readonly id: ApiKeyId;
}

/** Which side of the cursor to list. The page is newest first in both directions. */
export type Direction = 'after' | 'before';
