/** The checks of what a query leaves out whatever its filter is: keys of other times, and those that the caller may not see. */
import type { Filter } from '../../shared/record/filters.ts';
import type { CreationRange, Cursor, ListQuery } from '../../shared/record/list-query.ts';
import type { Timestamp } from '../../shared/record/timestamp.ts';
import type { ApiKey } from '../roster/api-key.ts';
import { isVisible } from '../roster/visible.ts';
import {
  cursorsAt,
  everyCursor,
  everyFilter,
  everyScope,
  limitsAround,
  type PageCheck,
  query,
} from './page-checks.ts';
import { contentOf, distinctTimes, everyCombination, someTies } from './rosters.ts';

type Restriction = Pick<ListQuery, 'created' | 'scope'>;

const EPOCH = 0n as Timestamp;
const scopes: readonly Restriction[] = everyScope.map(scope => ({ scope }));
const fewFilters = everyFilter.filter(filter => Object.keys(filter).length < 2);

export const restrictionChecks: readonly PageCheck[] = [
  {
    name: 'created.from is inclusive and created.before exclusive, by the microsecond, whichever the cursor',
    content: contentOf([...distinctTimes.slice(0, 5), ...someTies.slice(3, 5)]),
    queries: keys =>
      keys
        .flatMap(({ createdAt }) => [createdAt, later(createdAt)])
        .flatMap(time => [{ from: time }, { before: time }, { from: time, before: later(time) }])
        .flatMap(created => pages(everyCursor(keys), { created })),
    likelyCause: 'times are cut to milliseconds, or compared by the wrong one of > and >=',
  },
  {
    name: 'created is obeyed with every filter in both directions, and hasMore is exact',
    content: contentOf(everyCombination),
    queries: keys =>
      rangesIn(keys).flatMap(range => fewFilters.flatMap(filter => exactPages(keys, range, filter))),
    likelyCause:
      'the keys are cut to the limit before their times are compared, or in one direction they never are',
  },
  {
    name: 'a range of created that is empty or inverted has an empty page, and an unknown cursor stays unknown',
    content: contentOf(someTies),
    queries: (keys, others) => [
      query(2, null, {}, { created: { before: EPOCH } }),
      ...keys.slice(0, 3).flatMap(({ createdAt: before }) =>
        [before, later(before)].flatMap(from => {
          const cursors = [...everyCursor([...keys, ...others.slice(0, 1)]), ...cursorsAt('key_none')];
          return pages(cursors, { created: { from, before } });
        }),
      ),
    ],
    likelyCause:
      'such a range is answered before the cursor is looked up, its bounds are exchanged, or a bound of 0n is taken for none',
  },
  {
    name: 'only keys within the scope are listed, in both directions, and hasMore is exact',
    content: contentOf(everyCombination),
    queries: keys => scopes.flatMap(scope => exactPages(keys, scope)),
    likelyCause: 'query.scope is not looked at: it is all that the caller may see',
  },
  {
    name: 'a key outside of the scope is unknown as a cursor',
    content: contentOf(everyCombination.slice(0, 5)),
    queries: keys =>
      scopes.flatMap(scope => pages(everyCursor(keys.filter(key => !isVisible(key, scope))), scope)),
    likelyCause: 'the cursor is looked up in the whole organization: do it by the members of the scope too',
  },
  {
    name: 'a key has to pass scope and filter, so a filter that contradicts the scope has an empty page',
    content: contentOf(everyCombination.slice(0, 5)),
    queries: keys =>
      scopes.flatMap(scope => {
        const cursors = everyCursor(within(keys, scope).slice(0, 1));
        return fewFilters.flatMap(filter => pages(cursors, scope, filter));
      }),
    likelyCause: 'the filter replaces the scope, or the scope the filter',
  },
];

function pages(cursors: readonly (Cursor | null)[], restriction: Restriction, filter: Filter = {}) {
  return cursors.map(cursor => query(2, cursor, filter, restriction));
}

/** Those from each matching key, and those whose limit is about the number of all. */
function exactPages(keys: readonly ApiKey[], restriction: Restriction, filter: Filter = {}) {
  const matching = within(within(keys, restriction), { scope: filter });
  const limited = limitsAround(matching.length).map(limit => query(limit, null, filter, restriction));
  return [...limited, ...pages(everyCursor(matching), restriction, filter)];
}

const within = (keys: readonly ApiKey[], restriction: Restriction) =>
  keys.filter(key => isVisible(key, restriction));

const later = (time: Timestamp) => (time + 1n) as Timestamp;

/** One without the oldest keys, one without the newest, and one without either. */
function rangesIn(keys: readonly ApiKey[]): { readonly created: CreationRange }[] {
  const [from, before] = [keys[keys.length >> 2]?.createdAt, keys[(keys.length * 3) >> 2]?.createdAt];
  if (from === undefined || before === undefined) return [];
  return [{ from }, { before }, { from, before }].map(created => ({ created }));
}
