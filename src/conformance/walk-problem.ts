/** What is wrong with a walk, and what it was. */
import type { ApiKey } from '../roster/api-key.ts';
import type { Filter } from '../roster/filters.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import type { Cursor, Direction } from '../roster/list-query.ts';
import type { Page } from '../roster/page.ts';
import { describedAnswer, describedRoster } from './describe.ts';
import { failedFilters, newestFirst } from './model.ts';
import { orderProblem } from './page-problem.ts';

export interface Walk {
  readonly organization: OrganizationId;
  readonly keys: readonly ApiKey[];
  readonly limit: number;
  readonly direction: Direction;
  readonly filter: Filter;
  readonly change: string;
}

/** A walk back begins at the oldest key. */
export function startOf({ direction, keys }: Walk): Cursor | null {
  const oldest = keys.toSorted(newestFirst).at(-1);
  return direction === 'before' && oldest ? { direction, id: oldest.id } : null;
}

/** The keys are those that there are at the end of the walk. */
export function walkProblem(
  walk: Walk,
  pages: readonly (Page | null)[],
  current: ReadonlyMap<string, ApiKey>,
): string | null {
  if (pages.includes(null))
    return 'the cursor of the last page is a key of this organization: return a page, not null';
  const inOrder = walk.direction === 'after' ? pages : pages.toReversed();
  const ids = inOrder.flatMap(page => page?.items.map(({ id }) => id) ?? []);
  const stranger = ids.find(id => !current.has(id));
  if (stranger) return `${stranger} must not be listed: it isn't a key of this organization`;
  const start = startOf(walk)?.id;
  const throughout = walk.keys.filter(key => {
    const now = current.get(key.id) ?? key;
    return key.id !== start && [key, now].every(each => failedFilters(each, walk.filter).length === 0);
  });
  const missing = throughout.find(({ id }) => !ids.includes(id));
  if (missing) return `${missing.id} is missing, although it was there and matched during the whole walk`;
  return orderProblem(ids.flatMap(id => current.get(id) ?? []));
}

export function describedWalk(walk: Walk, pages: readonly (Page | null)[], problem: string): string {
  const { organization, keys, direction, limit, filter, change } = walk;
  const filtered = Object.entries(filter).map(([name, value]) => `, ${name} '${value}'`);
  return [
    `in a walk: ${problem}`,
    '',
    ...describedRoster(organization, keys),
    `a walk by ${direction}, limit ${limit}${filtered.join('')}; after each page ${change}:`,
    ...pages.map((page, index) => `page ${index + 1}: ${describedAnswer(page)}`),
  ].join('\n');
}
