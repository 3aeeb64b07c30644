import { FILTER_NAMES, type FilterName } from '../../src/shared/record/filters.ts';
import type { Direction } from '../../src/shared/record/list-query.ts';

/** What determines the SQL statement of a page, independent of the values. */
export interface PageShape {
  readonly filters: readonly FilterName[];
  readonly direction: Direction | null;
}

/** Every combination of filters, in both directions and without a cursor. */
export const pageShapes: readonly PageShape[] = combinationsOf(FILTER_NAMES).flatMap(filters =>
  ([null, 'after', 'before'] as const).map(direction => ({ filters, direction })),
);

function combinationsOf<T>([first, ...rest]: readonly T[]): T[][] {
  if (first === undefined) return [[]];
  const without = combinationsOf(rest);
  return [...without, ...without.map(others => [first, ...others])];
}

export function describeShape({ filters, direction }: PageShape): string {
  return `${filters.join(' and ') || 'no filter'}, ${direction ? `${direction} a cursor` : 'no cursor'}`;
}
