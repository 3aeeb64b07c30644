/**
 * Checks for a store of your own (`import … from 'keyroster/conformance'`), for any test runner:
 *
 *     for (const { name, run } of conformanceChecks({ open })) test(name, run);
 *
 * Run them one after another: each opens a store, and closes it before the next is opened.
 */

import { firstWrongPage, shrunk } from './counterexample.ts';
import { described } from './describe.ts';
import { type PageCheck, pageChecks } from './page-checks.ts';
import { contentOf } from './rosters.ts';
import type { ConformanceOptions, OpenedStore } from './store-under-test.ts';
import { checkWalksUnderChange } from './walks.ts';

export type { ConformanceOptions, OpenedStore } from './store-under-test.ts';

export interface ConformanceCheck {
  /** A sentence that states what the store has to do. */
  readonly name: string;
  /** Throws an `Error` whose message has the rule that is broken, and the smallest content and query that show it. */
  readonly run: () => Promise<void>;
}

/** What every implementation of `RosterReader` has to pass. */
export function conformanceChecks<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
): ConformanceCheck[] {
  const pages = pageChecks.map(check => ({ name: check.name, run: () => checkPages(options, check) }));
  const walks = 'a walk misses and repeats no key while keys are added, renamed, moved and archived';
  return [
    ...pages,
    options.change
      ? { name: walks, run: () => checkWalksUnderChange(options) }
      : { name: `NOT RUN, since the option "change" is missing: ${walks}`, run: async () => {} },
  ];
}

async function checkPages<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
  { rosters, queries, unknownOrganization }: PageCheck,
): Promise<void> {
  const content = contentOf(rosters);
  const asked = unknownOrganization ? ([[unknownOrganization, []]] as const) : content;
  const questions = [...asked].flatMap(([organization, keys]) => {
    const others = [...content].flatMap(([id, theirs]) => (id === organization ? [] : theirs));
    return queries(keys, others).map(query => ({ organization, query }));
  });
  const wrong = await firstWrongPage(options, content, questions);
  if (!wrong) return;
  const smallest = await shrunk(options, wrong);
  throw new Error(described(smallest), { cause: smallest.error });
}
