import type { ApiKeyRecord } from '../../client/client.ts';
import { shownStatus } from '../../shared/record/lifecycle.ts';
import type { KeyAtPlace } from './key-by-id.ts';
import type { Mask } from './mask.ts';
import { type Matcher, type MatchKind, matcherOf } from './match.ts';
import type { Question } from './question.ts';

export interface Found extends KeyAtPlace {
  readonly by: MatchKind;
}

/** How sure it is that a key which was found so is the one that was asked for. `maybe`: what tells it from others was cut off. */
const SURENESS = {
  ID: 'exact',
  hint: 'exact',
  parts: 'exact',
  begin: 'maybe',
  end: 'maybe',
  name: 'other',
  creator: 'other',
  workspace: 'other',
} as const satisfies Record<MatchKind, string>;

/** What was found by the hint, the ID or a part of one of the keys that were asked for. */
interface OfMask {
  readonly first: Found;
  count: number;
  active: number;
}

/** More are counted and not kept: a person asks for something narrower then. */
export const MAX_KEPT = 500;

/** What a question finds in a roster, whose keys are given newest first. */
export class FoundKeys {
  readonly question: Question;
  /** The newest first, at most `MAX_KEPT`. */
  readonly all: Found[] = [];
  /** Those by ID or hint, at most `MAX_KEPT`: also where more than that were found by name. */
  readonly exact: Found[] = [];
  readonly byMask = new Map<Mask, OfMask>();
  /** How many were found, also beyond `MAX_KEPT`. */
  count = 0;
  /** How many of them by the begin or the end alone. */
  maybe = 0;
  /** How many keys were looked at. */
  read = 0;
  readonly #match: Matcher;
  #newer: string | null = null;

  constructor(question: Question) {
    this.question = question;
    this.#match = matcherOf(question);
  }

  look(keys: readonly ApiKeyRecord[]): void {
    for (const key of keys) {
      const match = this.#match(key);
      if (match) this.#add({ key, by: match.by, newer: this.#newer }, match.mask);
      this.#newer = key.id;
    }
    this.read += keys.length;
  }

  #add(found: Found, mask: Mask | undefined): void {
    this.count += 1;
    if (this.all.length < MAX_KEPT) this.all.push(found);
    const sureness = SURENESS[found.by];
    if (sureness === 'maybe') this.maybe += 1;
    if (sureness === 'exact' && this.exact.length < MAX_KEPT) this.exact.push(found);
    if (mask === undefined || sureness === 'other') return;
    const before = this.byMask.get(mask);
    const surenessBefore = before && SURENESS[before.first.by];
    if (surenessBefore === 'exact' && sureness === 'maybe') return;
    const ofMask = surenessBefore === sureness && before ? before : { first: found, count: 0, active: 0 };
    ofMask.count += 1;
    if (shownStatus(found.key, Date.now()) === 'active') ofMask.active += 1;
    this.byMask.set(mask, ofMask);
  }
}
