/** Walks from one end of a roster to the other, with a change after each page. */

import type { Filter } from '../../shared/record/filters.ts';
import type { ApiKeyId, CreatorId, OrganizationId } from '../../shared/record/identifier.ts';
import { type Cursor, type Direction, LIMIT, type ListQuery } from '../../shared/record/list-query.ts';
import { type ApiKey, recordOf } from '../roster/api-key.ts';
import type { Page } from '../roster/page.ts';
import { failedFilters } from '../roster/visible.ts';
import { describedAnswer, describedRoster } from './describe.ts';
import { newestFirst } from './model.ts';
import { everyCursor, everyFilter, type PageCheck, query } from './page-checks.ts';
import { orderProblem } from './page-problem.ts';
import { CREATORS, contentOf, key, someTies } from './rosters.ts';
import { type ConformanceOptions, type OpenedStore, orFailed, withStore } from './store-under-test.ts';

interface Walk {
  readonly organization: OrganizationId;
  readonly keys: readonly ApiKey[];
  readonly limit: number;
  readonly direction: Direction;
  readonly filter: Filter;
  readonly change: string;
}

/** Given the key that is the next cursor: the key to be stored. */
const changes: Readonly<Record<string, (at: ApiKey, number: number) => ApiKey>> = {
  'the cursor is renamed': at => ({ ...at, name: `${at.name} renamed` }),
  'the cursor is archived': at => ({ ...at, status: 'archived' }),
  'the cursor moves to another workspace': at => ({
    ...at,
    workspaceId: 'wrkspc_b' as ApiKey['workspaceId'],
  }),
  'a key is added right before the cursor': (at, number) => beside(at, `${at.id}z${number}`),
  'a key is added right after the cursor': (at, number) =>
    beside(at, `${at.id.slice(0, 4)}-${at.id.slice(4)}${number}`),
  'a newest key is added': (at, number) => key(`new${number}_${at.id.slice(4)}`, { at: 1_000_000 + number }),
};

/** A key that was created in the same microsecond. */
const beside = (at: ApiKey, id: string): ApiKey => ({
  ...key(''),
  id: id as ApiKeyId,
  name: 'added',
  createdAt: at.createdAt,
});

const byCreator = { creatorId: CREATORS[0] as CreatorId };
const someFilters: readonly Filter[] = [
  ...everyFilter.filter(({ creatorId, ...rest }) => !creatorId && Object.keys(rest).length < 2),
  byCreator,
  { ...byCreator, status: 'active' },
];

/** The first roster gets its first key. Cursors are at the changed key and at another. */
export const askedAgain: PageCheck = {
  name: 'a page that is asked for again has what was changed meanwhile',
  content: contentOf([[], ...Object.values(changes).map(() => someTies[3] ?? [])]),
  change: ([, at], number) => (at && Object.values(changes)[number - 1]?.(at, number)) ?? key('first'),
  queries: keys => {
    const cursors = everyCursor(keys.slice(-2));
    const inScope = ({ status, ...scope }: Filter) => {
      const restricted = [status ? { status } : {}, { scope }] as const;
      return cursors.map(at => query(LIMIT.default, at, ...restricted));
    };
    return [
      ...cursors.map(at => query(LIMIT.max, at)),
      ...someFilters.flatMap(filter => cursors.map(at => query(LIMIT.default, at, filter))),
      ...someFilters.filter(({ workspaceId, creatorId }) => workspaceId ?? creatorId).flatMap(inScope),
    ];
  },
  likelyCause: 'a page or a cursor is kept in a cache, or "change" stored nothing',
};

/** Smallest first. */
const kindsOfWalk = [
  { count: 3, limit: 1, filter: { status: 'active' as const } },
  { count: 5, limit: 2, filter: {} },
].flatMap(size =>
  Object.keys(changes).flatMap(change =>
    (['after', 'before'] as const).map(direction => ({ ...size, change, direction })),
  ),
);

/** Throws an error that tells of the first walk that isn't exact. */
export async function checkWalksUnderChange<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
): Promise<void> {
  const content = contentOf(kindsOfWalk.map(({ count }) => someTies[count] ?? []));
  await withStore(options, content, async store => {
    for (const [index, [organization, keys]] of [...content].entries()) {
      const walk = { ...kindsOfWalk[index], organization, keys } as Walk;
      const list = (query: ListQuery) =>
        orFailed('listApiKeys', () => store.roster.listApiKeys(organization, structuredClone(query)));
      const put = (key: ApiKey) =>
        orFailed('change', () => options.change?.(store, organization, recordOf(key)));
      const pages: (Page | null)[] = [];
      try {
        const current = await walked(walk, list, put, pages);
        const problem = walkProblem(walk, pages, current);
        if (problem) throw new Error(problem);
      } catch (error) {
        const { message, cause } = error as Error;
        throw new Error(describedWalk(walk, pages, message), { cause });
      }
    }
  });
}

/** Adds the pages of the walk to these, and returns the keys that there are at its end. */
async function walked(
  walk: Walk,
  list: (query: ListQuery) => Promise<Page | null>,
  put: (key: ApiKey) => Promise<void>,
  pages: (Page | null)[],
): Promise<ReadonlyMap<string, ApiKey>> {
  const { keys, limit, direction, filter } = walk;
  const change = changes[walk.change];
  const current = new Map(keys.map(key => [key.id, key]));
  let cursor = startOf(walk);
  // The changes end before the walk does: it would never reach the newest key while newer ones are added.
  for (let number = 0; number <= 2 * keys.length; number++) {
    const page = await list({ limit, cursor, filter });
    pages.push(page);
    const end = page?.items.at(direction === 'after' ? -1 : 0);
    const at = end && current.get(end.id);
    if (!at || !page?.hasMore) break;
    if (change && number < keys.length) {
      const changed = change(at, number);
      await put(changed);
      current.set(changed.id, changed);
    }
    cursor = { direction, id: at.id };
  }
  return current;
}

/** A walk back begins at the oldest key. */
function startOf({ direction, keys }: Walk): Cursor | null {
  const oldest = keys.toSorted(newestFirst).at(-1);
  return direction === 'before' && oldest ? { direction, id: oldest.id } : null;
}

/** The keys are those that there are at the end of the walk. */
function walkProblem(
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

function describedWalk(walk: Walk, pages: readonly (Page | null)[], problem: string): string {
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
