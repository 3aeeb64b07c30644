/**
 * Checks for a store of your own (`import … from 'keyroster/conformance'`), for any test runner:
 *
 *     for (const { name, run } of conformanceChecks({ open })) test(name, run);
 *
 * Run them one after another: each opens a store, and closes it before the next is opened.
 */

import { aFunction, parseOptions, required } from '../options.ts';
import { recordOf } from '../roster/api-key.ts';
import type { RosterReader } from '../roster/page.ts';
import { describedAnswer, describedModel, describedQuery, describedRoster } from './describe.ts';
import { lookalikeChecks } from './lookalikes.ts';
import { modelPage } from './model.ts';
import { type PageCheck, pageChecks } from './page-checks.ts';
import { pageProblem, type Question } from './page-problem.ts';
import { restrictionChecks } from './restrictions.ts';
import {
  type ConformanceOptions,
  type Content,
  type OpenedStore,
  orFailed,
  withStore,
} from './store-under-test.ts';
import { askedAgain, checkWalksUnderChange } from './walks.ts';

export type { ConformanceOptions, OpenedStore } from './store-under-test.ts';

export interface ConformanceCheck {
  /** A sentence that states what the store has to do. */
  readonly name: string;
  /** Throws an `Error` whose message has the rule that is broken, and the first content and query that show it. */
  readonly run: () => Promise<void>;
}

/** What every implementation of `RosterReader` has to pass. Throws a `TypeError` for a wrong option. */
export function conformanceChecks<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
): ConformanceCheck[] {
  const rules = { open: aFunction(), change: aFunction() };
  required('open', parseOptions(options, rules).open, rules.open);
  const toRun = (check: PageCheck) => ({ name: check.name, run: () => checkPages(options, check) });
  const walks = 'a walk misses and repeats no key while keys are added, renamed, moved and archived';
  const changing = [toRun(askedAgain), { name: walks, run: () => checkWalksUnderChange(options) }];
  const skipped = 'NOT RUN, since the option "change" is missing: ';
  const notRun = changing.map(({ name }) => ({ name: skipped + name, run: async () => {} }));
  return [
    ...[...pageChecks, ...restrictionChecks, ...lookalikeChecks].map(toRun),
    ...(options.change ? changing : notRun),
  ];
}

/** Rosters come smallest first, so the first page that is wrong is one of few keys. */
async function checkPages<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
  { content, queries, change, atOnce, unknownOrganization, likelyCause }: PageCheck,
): Promise<void> {
  const asked = unknownOrganization ? ([[unknownOrganization, []]] as const) : content;
  const checked = withStore(options, content, async store => {
    if (atOnce) return checkAtOnce(store.roster, content, queries);
    for (const [number, [organization, keys]] of [...asked].entries()) {
      const others = [...content].flatMap(([id, theirs]) => (id === organization ? [] : theirs));
      const changed = change?.(keys, number);
      const now = changed ? [...keys.filter(({ id }) => id !== changed.id), changed] : keys;
      const ask = async (current: Content) => {
        for (const query of queries(now, others))
          await checkPage(store.roster, current, { organization, query });
      };
      await ask(content);
      if (!changed) continue;
      await orFailed('change', () => options.change?.(store, organization, recordOf(changed)));
      await ask(new Map([...content, [organization, now]]));
    }
  });
  await checked.catch(error => {
    if (!likelyCause) throw error;
    throw new Error(`${error.message}\nlikely cause: ${likelyCause}`, { cause: error.cause ?? error });
  });
}

/** The pages of all organizations. None is under way any more when the store is closed. */
async function checkAtOnce(
  roster: RosterReader,
  content: Content,
  queries: PageCheck['queries'],
): Promise<void> {
  const questions = [...content].flatMap(([organization, keys]) =>
    queries(keys, []).map(query => ({ organization, query })),
  );
  const checked = questions.map(question => checkPage(roster, content, question));
  await Promise.allSettled(checked);
  await Promise.all(checked);
}

async function checkPage(roster: RosterReader, content: Content, question: Question): Promise<void> {
  const { organization, query } = question;
  const list = () => roster.listApiKeys(organization, structuredClone(query)); // which the store may change
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
