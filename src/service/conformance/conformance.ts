/**
 * Checks for a store of your own (`import … from 'keyroster/conformance'`), for any test runner:
 *
 *     for (const { name, run } of conformanceChecks({ open })) test(name, run);
 *
 * Run them one after another: each opens a store, and closes it before the next is opened.
 */

import type { ApiKeyRecord } from '../../shared/record/api-key-record.ts';
import type { OrganizationId } from '../../shared/record/identifier.ts';
import { aFunction, parseOptions, required, wholeNumber } from '../options.ts';
import { type ApiKey, recordOf } from '../roster/api-key.ts';
import { keyOfRecord, type RosterReader } from '../roster/pages/page.ts';
import { within } from '../with-timeout.ts';
import { describedCall, describedPage, describedRoster } from './describe.ts';
import { type Content, modelPage, type Question } from './model.ts';
import { pageProblem } from './page-problem.ts';
import { planOf } from './plan.ts';
import { type Rule, rules } from './rules.ts';

/** A store that a check has opened. */
export interface OpenedStore {
  readonly roster: RosterReader;
  /** All that it has now, where that is not what it was given: a table may count its keys, cut times, have no workspaces. */
  readonly content?: ReadonlyMap<string, readonly ApiKeyRecord[]>;
  /** Called when the check is done with the store. */
  close?(): Promise<void> | void;
}

export interface ConformanceOptions<Store extends OpenedStore = OpenedStore> {
  /**
   * Makes a store with this content and no other: the API keys of each organization, of which some have none. No two keys have
   * the same ID, also across organizations. It is called for each check, when the store of the check before is closed.
   */
  open(content: ReadonlyMap<string, readonly ApiKeyRecord[]>): Promise<Store> | Store;
  /**
   * Stores the record in this store while it is read: inserts it, or replaces name, status and workspace of the key with its ID.
   * Without this function the check of pages asked for again isn't run, and its name says so.
   */
  change?(store: Store, organizationId: string, record: ApiKeyRecord): Promise<void> | void;
  /** What keys and requests are drawn by. A check that fails tells it. */
  seed?: number;
}

export interface ConformanceCheck {
  /** A sentence that states what the store has to do. */
  readonly name: string;
  /** Throws an `Error` whose message has what is wrong, and the first content and request that show it. */
  readonly run: () => Promise<void>;
}

/** What every implementation of `RosterReader` has to pass. Throws a `TypeError` for a wrong option. */
export function conformanceChecks<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
): ConformanceCheck[] {
  const optionRules = {
    ...{ open: aFunction(), change: aFunction() },
    seed: { ...wholeNumber(0, 2 ** 32 - 1), byDefault: 1 },
  };
  const { open, seed } = parseOptions(options, optionRules);
  required('open', open, optionRules.open);
  return Object.entries(rules).map(([name, rule]) => {
    if (rule.asked === 'again' && !options.change)
      return { name: `NOT RUN, since the option "change" is missing: ${name}`, run: async () => {} };
    return { name, run: () => check(options, rule, seed) };
  });
}

async function check<Store extends OpenedStore>(
  { open, change }: ConformanceOptions<Store>,
  rule: Rule,
  seed: number,
): Promise<void> {
  const { content: given, stepsOver } = planOf(rule, seed);
  let store: Store | undefined;
  const close = () => orFailed('close', () => store?.close?.());
  try {
    const opened = await open(new Map([...given].map(([id, keys]) => [id, keys.map(recordOf)])));
    if (typeof opened?.roster !== 'object') throw new TypeError('open: must return an object with a roster');
    store = opened;
    let now = keptIn(opened, given);
    for (const step of stepsOver(now))
      if ('put' in step) {
        const { organization, put } = step;
        await orFailed('change', () => change?.(opened, organization, recordOf(put)));
        const others = now.get(organization)?.filter(({ id }) => id !== put.id);
        now = keptIn(opened, new Map(now).set(organization, [...(others ?? []), put]));
      } else {
        const asked = step.map(question => ask(opened.roster, now, question, step));
        await Promise.allSettled(asked); // none is under way any more when the store is closed
        await Promise.all(asked);
      }
  } catch (error) {
    await close().catch(() => {}); // what was wrong before is told
    const { message, cause } = error as Error;
    const likely = rule.likelyCause ? `likely cause: ${rule.likelyCause}\n` : '';
    throw new Error(`${message}\n${likely}seed: ${seed}`, { cause });
  }
  await close();
}

function keptIn({ content }: OpenedStore, given: Content): Content {
  if (content === undefined) return given;
  if (!(content instanceof Map))
    throw new TypeError('content: must be a Map from organization IDs to records');
  const kept = new Map<OrganizationId, readonly ApiKey[]>();
  for (const [id, records] of content) kept.set(id, records.map(keyOfRecord));
  for (const [id, keys] of given)
    if ((kept.get(id)?.length ?? 0) < keys.length)
      throw new Error(`content: must have each API key that was given to ${id}`); // or the checks would show less
  return kept;
}

async function ask(roster: RosterReader, content: Content, question: Question, all: readonly Question[]) {
  const { organization, query } = question;
  const keys = content.get(organization) ?? [];
  const failed = (problem: string, came: string, cause?: unknown) => {
    const others = all.filter(each => each !== question).map(each => `at once:  ${describedCall(each)}`);
    const page = modelPage(keys, query);
    const expected = `expected: ${describedPage(page?.keys, page?.hasMore, page)}`;
    const call = [describedCall(question), ...others, expected, `came:     ${came}`];
    return new Error([problem, '', ...describedRoster(organization, keys), ...call].join('\n'), { cause });
  };
  const list = () => roster.listApiKeys(organization, structuredClone(query)); // which the store may change
  const answer = await orFailed('listApiKeys', list).catch(({ message, cause }: Error) => {
    throw failed(message, 'an error', cause);
  });
  const problem = pageProblem(content, question, answer);
  if (problem !== null) throw failed(problem, describedPage(answer?.items, answer?.hasMore, answer));
}

/** Without a limit the runner's own would end the check, which doesn't know the request. */
const MAX_CALL_MS = 10_000;

/** What the store's code gives. Its error says which function failed. */
async function orFailed<T>(name: string, call: () => Promise<T> | T): Promise<T> {
  try {
    return await within(MAX_CALL_MS, call, () => new Error(`no answer within ${MAX_CALL_MS} ms`));
  } catch (error) {
    throw new Error(`${name} failed: ${error}`, { cause: error });
  }
}
