/** The checks of single pages: each puts rosters into a store, and asks for pages of each. */

import type { Filter, FilterName, FilterValue } from '../../shared/record/filters.ts';
import type { ApiKeyId, CreatorId, OrganizationId, WorkspaceId } from '../../shared/record/identifier.ts';
import { type Cursor, LIMIT, type ListQuery, type Scope } from '../../shared/record/list-query.ts';
import { STATUSES } from '../../shared/record/status.ts';
import type { Timestamp } from '../../shared/record/timestamp.ts';
import type { ApiKey } from '../roster/api-key.ts';
import { failedFilters } from '../roster/visible.ts';
import {
  anyRosters,
  contentOf,
  distinctTimes,
  everyCombination,
  largestPage,
  sameTime,
  someTies,
  variedRecords,
} from './rosters.ts';
import type { Content } from './store-under-test.ts';

export interface PageCheck {
  readonly name: string;
  /** The smallest roster first. */
  readonly content: Content;
  /** The key to store in the roster of this number after its pages were asked for. Then they are asked for again. */
  readonly change?: (keys: readonly ApiKey[], number: number) => ApiKey;
  /** Asks for the pages of all organizations at the same time. */
  readonly atOnce?: true;
  /** Asks for the pages of this organization alone, which isn't in the store. */
  readonly unknownOrganization?: OrganizationId;
  /** The pages to ask for; `others` are the keys of all other organizations. A changed key is the last. */
  readonly queries: (keys: readonly ApiKey[], others: readonly ApiKey[]) => readonly ListQuery[];
  /** What mostly is wrong in a store that fails. */
  readonly likelyCause?: string;
}

export const pageChecks: readonly PageCheck[] = [
  {
    name: 'a page has every API key of its organization and of no other, with every field as it was stored',
    content: contentOf(variedRecords),
    queries: () => [query(LIMIT.max)],
  },
  {
    name: 'the newest key comes first, by the microsecond',
    content: contentOf(distinctTimes),
    queries: everyPage,
  },
  {
    name: 'keys with the same created_at are all listed, by ID, the greatest first',
    content: contentOf(sameTime),
    queries: everyPage,
  },
  {
    name: 'a page after or before a cursor has the keys next to it, newest first',
    content: contentOf(someTies),
    queries: everyPage,
  },
  {
    name: 'every filter is obeyed, and all of them together, in both directions',
    content: contentOf(everyCombination),
    queries: keys =>
      everyFilter.flatMap(filter => [
        query(LIMIT.default, null, filter),
        ...everyCursor(passing(keys, filter)).map(cursor => query(2, cursor, filter)),
      ]),
  },
  {
    name: 'a cursor need not pass the filter',
    content: contentOf(everyCombination.slice(0, 4)),
    queries: keys =>
      everyFilter.flatMap(filter =>
        everyCursor(keys.filter(key => failedFilters(key, filter).length > 0)).map(cursor =>
          query(2, cursor, filter),
        ),
      ),
  },
  {
    name: 'hasMore is exact, also when a filter leaves exactly as many keys as the limit',
    content: contentOf(everyCombination),
    queries: keys =>
      everyFilter.flatMap(filter =>
        limitsAround(passing(keys, filter).length).map(limit => query(limit, null, filter)),
      ),
  },
  {
    name: 'a page can have 1,000 keys, also under a filter and where many have the same time',
    content: contentOf(largestPage),
    queries: keys => {
      const ends = [keys[0], keys.at(-1)].flatMap(key => cursorsAt(String(key?.id)));
      const [rare, common] = keys
        .slice(0, 2)
        .map(({ status, workspaceId, createdBy }) => [
          { status },
          { workspaceId: workspaceId as WorkspaceId },
          { creatorId: createdBy.id },
        ]);
      const tied = keys.slice(0, 150).filter((_, number) => number % 15 === 0);
      return [
        ...[null, ...ends].map(at => query(LIMIT.max, at)),
        ...(common ?? []).map(filter => query(LIMIT.max, null, filter)),
        ...(rare ?? []).flatMap(filter => [null, ...ends].map(at => query(LIMIT.default, at, filter))),
        ...tied.flatMap(({ id }) => cursorsAt(id).map(at => query(LIMIT.default, at))),
      ];
    },
  },
  {
    name: 'pages of several organizations that are asked for at once are each their own',
    content: contentOf(someTies),
    atOnce: true,
    queries: () => [query(LIMIT.default), query(2)],
    likelyCause:
      'the organization is kept where another request changes it, or requests under way are shared without it',
  },
  {
    name: 'a cursor that no key has is unknown',
    content: contentOf(someTies),
    queries: () => cursorsAt('key_none').map(cursor => query(LIMIT.default, cursor)),
  },
  {
    name: 'a key of another organization is unknown as a cursor',
    content: contentOf(someTies),
    queries: (_, others) =>
      others.flatMap(({ id }) => cursorsAt(id)).map(cursor => query(LIMIT.default, cursor)),
  },
  {
    name: 'an organization that the store does not know has no API keys',
    content: contentOf(someTies),
    unknownOrganization: 'org_none' as OrganizationId,
    queries: (_, others) => [
      ...everyFilter.map(filter => query(LIMIT.default, null, filter)),
      ...everyScope.map(scope => query(LIMIT.default, null, {}, { scope })),
      ...others.flatMap(({ id }) => cursorsAt(id)).map(cursor => query(LIMIT.default, cursor)),
    ],
  },
  {
    name: 'any page of any roster equals that of a model which sorts, filters and slices',
    content: contentOf(anyRosters(seededRandom(15))),
    queries: (keys, others) => {
      const random = seededRandom(keys.length);
      const cursors = [...everyCursor(keys), ...everyCursor(others.slice(0, 2))];
      return Array.from({ length: 20 }, () => {
        const pick = <T>(values: readonly T[]) => values[random(values.length)] as T;
        const time = () => (keys.length === 0 ? 0n : pick(keys).createdAt) as Timestamp;
        return query(1 + random(6), pick(cursors), pick(everyFilter), {
          ...pick([
            {},
            { created: pick([{ from: time() }, { before: time() }, { from: time(), before: time() }]) },
          ]),
          ...pick([{}, { scope: pick(everyScope) }]),
        });
      });
    },
  },
];

const passing = (keys: readonly ApiKey[], filter: Filter) =>
  keys.filter(key => failedFilters(key, filter).length === 0);

/** From no cursor and from each key, by each limit. */
function everyPage(keys: readonly ApiKey[]): readonly ListQuery[] {
  return limitsAround(keys.length).flatMap(limit => everyCursor(keys).map(cursor => query(limit, cursor)));
}

/** Values of each filter; the last workspace and the last creator are those of no key. A filter without values doesn't compile. */
const filterValues: { readonly [Name in FilterName]: readonly FilterValue<Name>[] } = {
  status: STATUSES,
  workspaceId: ['wrkspc_a', 'wrkspc_b', 'wrkspc_none'] as WorkspaceId[],
  creatorId: ['user_a', 'user_b', 'user_none'] as CreatorId[],
};

/** Every combination of filters with every value, those with the fewest filters first. */
export const everyFilter: readonly Filter[] = Object.entries(filterValues)
  .reduce<Filter[]>(
    (filters, [name, values]) =>
      filters.flatMap(filter => [filter, ...values.map(value => ({ ...filter, [name]: value }))]),
    [{}],
  )
  .toSorted((a, b) => Object.keys(a).length - Object.keys(b).length);

/** The scopes that callers can have, those of one member first. */
export const everyScope: readonly Scope[] = everyFilter.filter(
  filter => !filter.status && (filter.workspaceId || filter.creatorId),
);

export const query = (
  limit: number,
  cursor: Cursor | null = null,
  filter: Filter = {},
  restrictions: Pick<ListQuery, 'created' | 'scope'> = {},
): ListQuery => ({ limit, cursor, filter, ...restrictions });

/** Cursors at this key, in both directions. */
export const cursorsAt = (id: string): Cursor[] => [
  { direction: 'after', id: id as ApiKeyId },
  { direction: 'before', id: id as ApiKeyId },
];

/** No cursor, and cursors at each of these keys. */
export function everyCursor(keys: readonly ApiKey[]): readonly (Cursor | null)[] {
  return [null, ...keys.flatMap(({ id }) => cursorsAt(id))];
}

/** From one key less than these to one more, and the smallest and the default. */
export function limitsAround(count: number): readonly number[] {
  const limits = [1, count - 1, count, count + 1, LIMIT.default].filter(
    limit => limit >= LIMIT.min && limit <= LIMIT.max,
  );
  return [...new Set(limits)].toSorted((a, b) => a - b);
}

/** Whole numbers from 0 to below the given one: the same sequence for the same seed, so that a check that fails fails again. */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
