import type { ApiKeyRecord } from '../../client/client.ts';
import { knownOf } from '../../find/known.ts';
import type { Mask } from '../../find/mask.ts';
import { fieldOfMask, type Matcher, type MatchKind, matcherOf } from '../../find/match.ts';
import { type OwnerIds, type Question, questionOf } from '../../find/question.ts';

export interface Found {
  readonly key: ApiKeyRecord;
  readonly by: MatchKind;
}

/** What was found by one of the asked keys' hints or IDs. */
export interface OfMask {
  readonly first: Found;
  count: number;
  active: number;
}

export interface FoundKeys {
  readonly question: Question;
  /** Those that give access first, and of each the newest first; at most `MAX_KEPT`. */
  readonly found: readonly Found[];
  /** How many match, also those that aren't kept. */
  readonly count: number;
  /** How many keys were read. */
  readonly read: number;
  readonly byMask: ReadonlyMap<Mask, OfMask>;
}

/** More are counted: a person asks for something narrower then. */
export const MAX_KEPT = 500;
/** Enough to know IDs and hints of a roster by their form, as the console does. */
const SAMPLE_SIZE = 100;

/**
 * Reads a whole roster for what a text asks for; its newest keys tell an ID of it from a key of it. `null`: the text asks for
 * nothing. Of a full key the question has only the mask.
 * @param check is told what is asked for before anything is looked for. Of an empty roster nothing can be told.
 */
export async function findKeys(
  text: string,
  records: AsyncIterable<readonly ApiKeyRecord[]>,
  check: (question: Question) => void,
): Promise<FoundKeys | null> {
  const [active, others]: [Found[], Found[]] = [[], []];
  let asked: { question: Question; match: Matcher } | null = null;
  let sample: ApiKeyRecord[] | null = [];
  let [count, read] = [0, 0];
  const byMask = new Map<Mask, OfMask>();
  const tell = (mask: Mask, found: Found) => {
    const field = fieldOfMask(mask, found.key);
    if (field !== 'hint' && field !== 'ID') return;
    const ofMask = byMask.get(mask) ?? { first: found, count: 0, active: 0 };
    ofMask.count += 1;
    if (found.key.status === 'active') ofMask.active += 1;
    byMask.set(mask, ofMask);
  };
  const look = (keys: readonly ApiKeyRecord[], match: Matcher) => {
    for (const key of keys) {
      const by = match(key);
      if (by === null) continue;
      count += 1;
      if (asked?.question.kind === 'key') for (const mask of asked.question.masks) tell(mask, { key, by });
      const kept = key.status === 'active' ? active : others;
      if (kept.length < MAX_KEPT) kept.push({ key, by });
    }
  };
  const ask = (keys: readonly ApiKeyRecord[]) => {
    const question = questionAbout(text, keys.slice(0, SAMPLE_SIZE));
    if (!question) return null;
    if (keys.length > 0) check(question);
    return { question, match: matcherOf(question) };
  };
  for await (const batch of records) {
    read += batch.length;
    if (sample) sample.push(...batch);
    else if (asked) look(batch, asked.match);
    if (!sample || sample.length < SAMPLE_SIZE) continue;
    asked = ask(sample);
    if (!asked) return null;
    look(sample, asked.match);
    sample = null;
  }
  if (sample) {
    asked = ask(sample);
    if (asked) look(sample, asked.match);
  }
  if (!asked) return null;
  const found = [...active, ...others].slice(0, MAX_KEPT);
  return { question: asked.question, found, count, read, byMask };
}

function questionAbout(text: string, sample: readonly ApiKeyRecord[]): Question | null {
  const owners: OwnerIds = {
    creator: new Set(sample.map(({ created_by }) => created_by.id)),
    workspace: new Set(sample.map(({ workspace_id }) => workspace_id).filter(id => id !== null)),
  };
  return questionOf(text, knownOf(sample), owners);
}
