/**
 * Checks for a store of your own (`import … from 'keyroster/conformance'`), for any test runner:
 *
 *     for (const { name, run } of conformanceChecks({ open })) test(name, run);
 *
 * Run them one after another: each opens a store, and closes it before the next is opened.
 */

import { parseOptions, required } from '../options.ts';
import { checkPagesAskedAgain } from './asked-again.ts';
import { checkPage } from './check-page.ts';
import { lookalikeChecks, nameCheck } from './lookalikes.ts';
import { type PageCheck, pageChecks } from './page-checks.ts';
import { type ConformanceOptions, type OpenedStore, orLikely, withStore } from './store-under-test.ts';
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
  const pages = [...pageChecks, ...lookalikeChecks, nameCheck].map(check => ({
    name: check.name,
    run: () => checkPages(options, check),
  }));
  const changing = [
    {
      name: 'a page that is asked for again has what was changed meanwhile',
      run: () => checkPagesAskedAgain(options),
    },
    {
      name: 'a walk misses and repeats no key while keys are added, renamed, moved and archived',
      run: () => checkWalksUnderChange(options),
    },
  ];
  if (options.change) return [...pages, ...changing];
  const notRun = 'NOT RUN, since the option "change" is missing';
  return [...pages, ...changing.map(({ name }) => ({ name: `${notRun}: ${name}`, run: async () => {} }))];
}

/** Rosters come smallest first, so the first page that is wrong is one of few keys. */
async function checkPages<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
  { content, queries, unknownOrganization, likelyCause }: PageCheck,
): Promise<void> {
  const asked = unknownOrganization ? ([[unknownOrganization, []]] as const) : content;
  const checked = withStore(options, content, async ({ roster }) => {
    for (const [organization, keys] of asked) {
      const others = [...content].flatMap(([id, theirs]) => (id === organization ? [] : theirs));
      for (const query of queries(keys, others))
        await checkPage(content, { organization, query }, () => roster.listApiKeys(organization, query));
    }
  });
  await orLikely(likelyCause, checked);
}
