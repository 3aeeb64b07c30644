/** Walks from one end of a roster to the other, with a change after each page. */
import type { ApiKey } from '../roster/api-key.ts';
import { LIMIT, type ListQuery } from '../roster/list-query.ts';
import type { Page } from '../roster/page.ts';
import { changes } from './changes.ts';
import { pageProblem } from './page-problem.ts';
import { query } from './queries.ts';
import { contentOf, someTies } from './rosters.ts';
import { type ConformanceOptions, type OpenedStore, recordOf, withStore } from './store-under-test.ts';
import { describedWalk, startOf, type Walk, walkProblem } from './walk-problem.ts';

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
        orFailed('listApiKeys', () => store.roster.listApiKeys(organization, query));
      const put = (key: ApiKey) =>
        orFailed('change', () => options.change?.(store, organization, recordOf(key)));
      const pages: (Page | null)[] = [];
      try {
        const current = await walked(walk, list, put, pages);
        const problem = walkProblem(walk, pages, current) ?? (await changesProblem(walk, list, current));
        if (problem) throw new Error(problem);
      } catch (error) {
        const { message, cause } = error as Error;
        throw new Error(describedWalk(walk, pages, message), { cause });
      }
    }
  });
}

async function orFailed<T>(name: string, call: () => Promise<T> | T): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new Error(`${name} failed: ${error}`, { cause: error });
  }
}

type List = (query: ListQuery) => Promise<Page | null>;

/** Adds the pages of the walk to these, and returns the keys that there are at its end. */
async function walked(
  walk: Walk,
  list: List,
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

/** A walk can't be wrong in a store that isn't changed, so what was changed has to be there. */
async function changesProblem(
  { organization }: Walk,
  list: List,
  current: ReadonlyMap<string, ApiKey>,
): Promise<string | null> {
  const question = { organization, query: query(LIMIT.max) };
  const problem = pageProblem(
    new Map([[organization, [...current.values()]]]),
    question,
    await list(question.query),
  );
  return problem && `at its end, with what change stored: ${problem}`;
}
