/** Finds a content and a query, as small as it can, for which a store's page is wrong. */
import type { ApiKey } from '../roster/api-key.ts';
import { activeFilters } from '../roster/filters.ts';
import type { ListQuery } from '../roster/list-query.ts';
import type { Page } from '../roster/page.ts';
import { pageProblem, type Question } from './page-problem.ts';
import { type ConformanceOptions, type Content, type OpenedStore, withStore } from './store-under-test.ts';

/** A page that is wrong. */
export interface Counterexample {
  readonly content: Content;
  readonly question: Question;
  readonly problem: string;
  /** What came: a page, or null; `error` when it was an error. */
  readonly answer: Page | null;
  readonly error?: unknown;
}

/** The stores that are made to find a smaller counterexample, and their keys: no test runner should time out over them. */
const MAX_ATTEMPTS = 200;
const MAX_KEYS = 20_000;

/** The first of these pages that is wrong, over one store with this content; `null` when all are right. */
export async function firstWrongPage<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
  content: Content,
  questions: readonly Question[],
): Promise<Counterexample | null> {
  return withStore(options, content, async ({ roster }) => {
    for (const question of questions) {
      try {
        const answer = await roster.listApiKeys(question.organization, question.query);
        const problem = pageProblem(content, question, answer);
        if (problem !== null) return { content, question, problem, answer };
      } catch (error) {
        return { content, question, problem: `listApiKeys failed: ${error}`, answer: null, error };
      }
    }
    return null;
  });
}

/** The counterexample without what it doesn't need: organizations, keys, filters. The page is wrong after each step. */
export async function shrunk<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
  counterexample: Counterexample,
): Promise<Counterexample> {
  let smallest = counterexample;
  let candidates = smaller(smallest);
  let keys = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && keys < MAX_KEYS; attempt++) {
    const { value } = candidates.next();
    if (!value) break;
    keys += [...value.content.values()].flat().length;
    // A store that can't be made with less isn't the fault to be shown.
    const wrong = await firstWrongPage(options, value.content, [value.question]).catch(() => null);
    if (!wrong) continue;
    smallest = wrong;
    candidates = smaller(smallest);
  }
  return smallest;
}

type Asked = Pick<Counterexample, 'content' | 'question'>;

/** The same with less. The query comes first: a store with many keys takes long to make. */
function* smaller({ content, question }: Asked): Generator<Asked> {
  const { organization, query } = question;
  const withQuery = (change: Partial<ListQuery>): Question => ({
    organization,
    query: { ...query, ...change },
  });
  const cursorId = query.cursor?.id;
  const needed = [...content].filter(
    ([id, keys]) => id === organization || keys.some(key => key.id === cursorId),
  );
  if (needed.length < content.size) yield { content: new Map(needed), question };
  for (const name of activeFilters(query.filter)) {
    const { [name]: _, ...filter } = query.filter;
    yield { content, question: withQuery({ filter }) };
  }
  const count = content.get(organization)?.length ?? 0;
  for (const limit of [1, count, query.limit >> 1])
    if (limit >= 1 && limit < query.limit) yield { content, question: withQuery({ limit }) };
  for (const [id, keys] of content) {
    if (id !== organization)
      yield { content: new Map([...content].filter(([other]) => other !== id)), question };
    for (const left of fewerKeys(keys, cursorId)) {
      const less = new Map(content).set(id, left);
      yield { content: less, question };
      const limit = query.limit - (keys.length - left.length); // what is left may have to be as many as the limit
      if (limit >= 1) yield { content: less, question: withQuery({ limit }) };
    }
  }
}

/** The keys without all, a half, a quarter, … of them, and always with the cursor. */
function* fewerKeys(keys: readonly ApiKey[], cursorId: string | undefined): Generator<readonly ApiKey[]> {
  for (let size = keys.length; size >= 1; size >>= 1)
    for (let start = 0; start < keys.length; start += size) {
      const left = keys.filter((key, index) => index < start || index >= start + size || key.id === cursorId);
      if (left.length < keys.length) yield left;
    }
}
