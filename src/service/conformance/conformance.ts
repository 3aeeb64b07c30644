/**
 * Checks for a store of your own (`import … from 'keyroster/conformance'`), for any test runner:
 *
 *     for (const { name, run } of conformanceChecks({ open })) test(name, run);
 *
 * Run them one after another: each opens a store, and closes it before the next is opened.
 */

import { parseOptions, required } from '../options.ts';
import type { Page } from '../roster/page.ts';
import { describedAnswer, describedModel, describedQuery, describedRoster } from './describe.ts';
import { modelPage } from './model.ts';
import { type PageCheck, pageChecks } from './page-checks.ts';
import { pageProblem, type Question } from './page-problem.ts';
import { contentOf } from './rosters.ts';
import {
  type ConformanceOptions,
  type Content,
  type OpenedStore,
  orFailed,
  withStore,
} from './store-under-test.ts';
import { checkWalksUnderChange } from './walks.ts';

export type { ConformanceOptions, OpenedStore } from './store-under-test.ts';

export interface ConformanceCheck {
  /** A sentence that states what the store has to do. */
  readonly name: string;
  /** Throws an `Error` whose message has the rule that is broken, and the first content and query that show it. */
  readonly run: () => Promise<void>;
}

const FUNCTION = {
  parse: (value: unknown) => (typeof value === 'function' ? value : undefined),
  rule: 'must be a function',
};

/** What every implementation of `RosterReader` has to pass. Throws a `TypeError` for a wrong option. */
export function conformanceChecks<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
): ConformanceCheck[] {
  required('open', parseOptions(options, { open: FUNCTION, change: FUNCTION }).open, FUNCTION);
  const pages = pageChecks.map(check => ({ name: check.name, run: () => checkPages(options, check) }));
  const walks = 'a walk misses and repeats no key while keys are added, renamed, moved and archived';
  return [
    ...pages,
    options.change
      ? { name: walks, run: () => checkWalksUnderChange(options) }
      : { name: `NOT RUN, since the option "change" is missing: ${walks}`, run: async () => {} },
  ];
}

/** Rosters come smallest first, so the first page that is wrong is one of few keys. */
async function checkPages<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
  { rosters, queries, unknownOrganization }: PageCheck,
): Promise<void> {
  const content = contentOf(rosters);
  const asked = unknownOrganization ? ([[unknownOrganization, []]] as const) : content;
  await withStore(options, content, async ({ roster }) => {
    for (const [organization, keys] of asked) {
      const others = [...content].flatMap(([id, theirs]) => (id === organization ? [] : theirs));
      for (const query of queries(keys, others))
        await checkPage(content, { organization, query }, () => roster.listApiKeys(organization, query));
    }
  });
}

async function checkPage(
  content: Content,
  question: Question,
  list: () => Promise<Page | null>,
): Promise<void> {
  const { organization, query } = question;
  const keys = content.get(organization) ?? [];
  const told = (problem: string, came: string) =>
    [
      problem,
      '',
      ...describedRoster(organization, keys),
      `listApiKeys('${organization}', ${describedQuery(query)})`,
      `expected: ${describedModel(modelPage(keys, query))}`,
      `came:     ${came}`,
    ].join('\n');
  const answer = await orFailed('listApiKeys', list).catch(({ message, cause }: Error) => {
    throw new Error(told(message, 'an error'), { cause });
  });
  const problem = pageProblem(content, question, answer);
  if (problem !== null) throw new Error(told(problem, describedAnswer(answer)));
}
