import type { PageShape } from '../../src/service/postgres/pages/page-sql.ts';
import { FILTER_NAMES } from '../../src/shared/record/filters.ts';

export type { PageShape };

const DIRECTIONS = [null, 'after', 'before'] as const;
const FILTERS = combinationsOf(FILTER_NAMES);

/** Every combination of filters, in both directions and without a cursor; and some of each with times and a scope. */
export const pageShapes: readonly PageShape[] = [
  ...FILTERS.flatMap(filters => DIRECTIONS.map(direction => ({ filters, direction }))),
  ...[[], FILTER_NAMES].flatMap(filters =>
    DIRECTIONS.flatMap(direction =>
      combinationsOf(['from', 'before'] as const).map(created => {
        const scope = direction === null ? [] : filters.filter(name => name !== 'status');
        return { filters, direction, created, scope };
      }),
    ),
  ),
];

/** A value for each parameter of a statement; those of times are of the years that most tests list keys of. */
export const SHAPE_VALUES = {
  organization: 'org_none',
  status: 'archived',
  workspaceId: 'wrkspc_1',
  creatorId: 'user_1',
  cursor: 'apikey_1',
  from: '2024-01-01T00:00:00Z',
  before: '2024-12-31T00:00:00Z',
  rows: '21',
} as const;

function combinationsOf<T>([first, ...rest]: readonly T[]): T[][] {
  if (first === undefined) return [[]];
  const without = combinationsOf(rest);
  return [...without, ...without.map(others => [first, ...others])];
}

export function describeShape({ filters, direction, created, scope = [] }: PageShape): string {
  const cursor = direction ? `${direction} a cursor` : 'no cursor';
  const times = created ? [`times: ${created.join(' and ') || 'none'}`, `scope: ${scope.length}`] : [];
  return [filters.join(' and ') || 'no filter', cursor, ...times].join(', ');
}
