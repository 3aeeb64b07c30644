/** The plans of pages, of any store: which there are, and what is said of those that are wrong. */
import { type FilterName, filters as filterTable } from './filters.ts';
import type { Direction } from './list-query.ts';

/** What decides how a page is read: which filters it has, and whether it begins at a cursor. */
export interface PageShape {
  readonly filters: readonly FilterName[];
  readonly direction: Direction | null;
}

/** Every combination of these filters, for a first page and in both directions. */
export function pageShapes(served: readonly FilterName[]): PageShape[] {
  return combinationsOf(served).flatMap(filters =>
    ([null, 'after', 'before'] as const).map(direction => ({ filters, direction })),
  );
}

function combinationsOf<T>(all: readonly T[]): T[][] {
  return all.reduce<T[][]>((found, each) => found.flatMap(some => [some, [...some, each]]), [[]]);
}

/** What is wrong with the plan of a shape: in reading the page, and in looking its cursor up. */
export interface PlanProblems {
  readonly page: readonly string[];
  readonly cursor: readonly string[];
}

/** Why plans are wrong: an index that they need. */
export interface PlanCause {
  readonly problem: string;
  /** The filters of the pages that need it; `null`: it is the one that finds the key of a cursor. */
  readonly index: readonly FilterName[] | null;
}

/**
 * One for each index that is missing or wrong. It says what is wrong with the first of the pages that need it.
 *
 * @param indexOf names the index of pages with these filters.
 */
export function planCauses(
  looked: readonly (PageShape & PlanProblems)[],
  indexOf: (filters: readonly FilterName[]) => string,
): PlanCause[] {
  const byIndex = Map.groupBy(
    looked.filter(({ page }) => page.length > 0),
    ({ filters }) => indexOf(filters),
  );
  const causes = Array.from(byIndex.values(), (shapes): PlanCause => {
    const { filters = [], page = [] } = shapes[0] ?? {};
    return { index: filters, problem: `pages ${describeFilters(shapes)} lack their index: ${joined(page)}` };
  });
  const lookups = looked.filter(({ cursor }) => cursor.length > 0);
  if (!lookups[0]) return causes;
  const problem = `pages with after_id or before_id lack the index that finds the cursor: ${joined(lookups[0].cursor)}`;
  return [...causes, { index: null, problem }];
}

/** They begin with a verb, whose subject is the database. */
function joined(problems: readonly string[]): string {
  return `the database ${[...new Set(problems)].join(' and ')}`;
}

/** In the words of the API. */
function describeFilters(shapes: readonly PageShape[]): string {
  const parameters = shapes.map(({ filters }) =>
    filters.map(name => filterTable[name].parameter).join(' and '),
  );
  const described = [...new Set(parameters)].map(each =>
    each === '' ? 'without a filter' : `filtered by ${each}`,
  );
  return described.join(' or ');
}
