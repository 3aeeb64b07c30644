import type { ListedKey } from '../../client/listed-key.ts';
import { shownStatus } from '../../shared/record/lifecycle.ts';
import type { KeyAtPlace } from './key-by-id.ts';
import type { Mask } from './mask.ts';
import { type Matcher, type MatchKind, matcherOf } from './match.ts';
import type { Question } from './question.ts';
import { tells, tellsKey } from './told.ts';

export interface Found<Key extends ListedKey = ListedKey> extends Pick<KeyAtPlace, 'newer'> {
  readonly key: Key;
  readonly by: MatchKind;
  /** Of several keys that are looked for, the one that fits. */
  readonly mask: Mask | undefined;
}

/** How sure it is that a key which was found so is the one that was asked for. `maybe`: what tells it from others was cut off. */
type Sureness = 'exact' | 'maybe' | 'other';
const SURENESS = {
  ID: 'exact',
  hint: 'exact',
  begin: 'maybe',
  end: 'maybe',
  name: 'other',
  creator: 'other',
  workspace: 'other',
} as const satisfies Record<MatchKind, Sureness>;

/** What was found by the hint, the ID or a part of one of the keys that were asked for. */
export interface OfMask<Key extends ListedKey = ListedKey> {
  readonly first: Found<Key>;
  count: number;
  active: number;
  /** How many of them don't tell their status. */
  untold: number;
}

/** More are counted and not kept: a person asks for something narrower then. */
export const MAX_KEPT = 500;

/** What a question finds in a roster, whose keys are given newest first. */
export class FoundKeys<Key extends ListedKey = ListedKey> {
  readonly question: Question;
  readonly byMask = new Map<Mask, OfMask<Key>>();
  /** How many were found, also beyond `MAX_KEPT`. */
  count = 0;
  /** How many of them by the begin or the end alone. */
  maybe = 0;
  /** How many keys were looked at. */
  read = 0;
  /** How many of these have no hint, so that they may be any key. */
  unseen = 0;
  /** Of each the newest first, at most `MAX_KEPT`: what is less sure pushes out nothing that is surer. */
  readonly #kept: Record<Sureness, Found<Key>[]> = { exact: [], other: [], maybe: [] };
  readonly #match: Matcher;
  #newer: string | null = null;

  /** @param ids that are in the text which asks. */
  constructor(question: Question, ids: ReadonlySet<string> = new Set()) {
    this.question = question;
    this.#match = matcherOf(question, ids);
  }

  /** The surest first, at most `MAX_KEPT`. */
  get all(): readonly Found<Key>[] {
    return Object.values(this.#kept).flat().slice(0, MAX_KEPT);
  }

  /** Those by ID or hint. */
  get exact(): readonly Found<Key>[] {
    return this.#kept.exact;
  }

  look(keys: readonly Key[]): void {
    for (const key of keys) {
      const match = this.#match(key);
      if (!tellsKey(key)) this.unseen += 1;
      if (match) this.#add({ key, by: match.by, newer: this.#newer, mask: match.mask });
      this.#newer = key.id;
    }
    this.read += keys.length;
  }

  #add(found: Found<Key>): void {
    const { mask, by, key } = found;
    const sureness = SURENESS[by];
    const before = mask && this.byMask.get(mask);
    const isGuessed = before !== undefined && SURENESS[before.first.by] === 'maybe';
    if (sureness === 'maybe' && before && !isGuessed) return;
    if (sureness === 'exact' && isGuessed) this.#dropGuesses(before);
    this.count += 1;
    if (sureness === 'maybe') this.maybe += 1;
    const kept = this.#kept[sureness];
    if (kept.length < MAX_KEPT) kept.push(found);
    if (mask === undefined || sureness === 'other') return;
    const ofMask = this.byMask.get(mask) ?? { first: found, count: 0, active: 0, untold: 0 };
    ofMask.count += 1;
    if (shownStatus(key, Date.now()) === 'active') ofMask.active += 1;
    if (!tells(key, 'status')) ofMask.untold += 1;
    this.byMask.set(mask, ofMask);
  }

  /** A key that is found has none. */
  #dropGuesses({ first: { mask }, count }: OfMask<Key>): void {
    this.count -= count;
    this.maybe -= count;
    this.#kept.maybe = this.#kept.maybe.filter(guess => guess.mask !== mask);
    if (mask) this.byMask.delete(mask);
  }
}
