/** Which indexes the pages of any store need, and what is said of those that are missing or wrong. */

import { type FilterName, filters as filterTable } from '../../shared/record/filters.ts';
import type { Finding } from './check.ts';

/** An index that pages need, as the store has it. */
export interface PageIndex {
  readonly name: string;
  /** A verb and more, whose subject is the database; `null`: nothing is wrong. */
  readonly problem: string | null;
  /** The statements that mend it. */
  readonly fix: string;
}

/** That of pages with these filters, or the one that finds the key of a cursor (`null`). */
export type IndexOf = (filters: readonly FilterName[] | null) => PageIndex;

/** Every combination of these filters, none of them too. */
export function filterCombinations(served: readonly FilterName[]): FilterName[][] {
  return served.reduce<FilterName[][]>((found, each) => found.flatMap(some => [some, [...some, each]]), [[]]);
}

/** A finding for each index that is missing or wrong. Pages by several combinations may need the same one. */
export function indexFindings(combinations: readonly FilterName[][], indexOf: IndexOf): Finding[] {
  const pagesOf = Map.groupBy(combinations, filters => indexOf(filters).name);
  const ofPages = Array.from(pagesOf.values(), pages =>
    findingsOf(indexOf(pages[0] ?? []), `pages ${describe(pages)} lack their index`),
  );
  return [
    ...ofPages.flat(),
    ...findingsOf(indexOf(null), 'pages with after_id or before_id lack the index that finds the cursor'),
  ];
}

function findingsOf({ problem, fix }: PageIndex, lacking: string): Finding[] {
  return problem === null ? [] : [{ about: 'indexes', problem: `${lacking}: the database ${problem}`, fix }];
}

/** In the words of the API. */
function describe(combinations: readonly (readonly FilterName[])[]): string {
  const parameters = combinations.map(filters =>
    filters.map(name => filterTable[name].parameter).join(' and '),
  );
  return parameters.map(each => (each === '' ? 'without a filter' : `filtered by ${each}`)).join(' or ');
}
