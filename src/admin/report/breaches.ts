import type { ListedKey } from '../../client/listed-key.ts';
import type { Needed } from '../find/told.ts';
import type { Exception, Level, Policy } from './policies.ts';
import { dayText } from './sections.ts';
import { addOne } from './status-counts.ts';

/** A key, once, with all policies that it breaks. */
export interface Breach {
  readonly key: ListedKey;
  readonly policies: readonly Policy[];
}

/** What was found of a policy. */
const nothingOf = (policy: Policy) => ({
  /** Its breaches. */
  count: 0,
  /** How many keys the policy couldn't judge, by what they don't tell. */
  unjudged: new Map<Needed, number>(),
  /** The exceptions of keys that would break it. */
  used: new Set<Exception>(),
  doubts: new Set(policy.doubts()),
});
type Found = ReturnType<typeof nothingOf>;

/** Finds every breach of a policy, in whatever order the keys come. Keeps each key that breaks one, once. */
export class Breaches {
  readonly policies: readonly Policy[];
  readonly #found: ReadonlyMap<Policy, Found>;
  readonly #now: number;
  readonly #keys: ListedKey[] = [];
  /** Of each of these keys a bit for each policy, by its index. */
  readonly #bits: number[] = [];

  /** @param policies at most 31. */
  constructor(policies: readonly Policy[], now: Date) {
    this.policies = policies;
    this.#now = now.getTime();
    this.#found = new Map(policies.map(policy => [policy, nothingOf(policy)]));
  }

  /** Before anything is read. */
  add(keys: readonly ListedKey[]): void {
    for (const key of keys) {
      const bits = this.#bitsOf(this.countKey(key));
      if (bits === 0) continue;
      this.#keys.push(key);
      this.#bits.push(bits);
    }
  }

  /** Counts a key without keeping it. Returns the policies that it breaks. */
  countKey(key: ListedKey): readonly Policy[] {
    return this.policies.filter(policy => this.#count(policy, key));
  }

  /** The policies that a key breaks, counted or not. */
  brokenBy(key: ListedKey): readonly Policy[] {
    return this.policies.filter(policy => {
      const exception = policy.exceptions.get(key.id);
      if (policy.lacked(key) !== undefined || (exception && !this.#isOver(exception))) return false;
      return policy.breaks(key, this.#now);
    });
  }

  count(policy: Policy): number {
    return this.#of(policy).count;
  }

  /** A key counts for each policy of this level that it breaks. */
  total(level: Level): number {
    const counted = this.policies.filter(policy => policy.level === level);
    return counted.reduce((sum, policy) => sum + this.count(policy), 0);
  }

  /** How many keys the policy couldn't judge, by what they don't tell. */
  unjudged(policy: Policy): ReadonlyMap<Needed, number> {
    return this.#of(policy).unjudged;
  }

  /** How many keys would break it but for an exception. */
  excused(policy: Policy): number {
    const { used } = this.#of(policy);
    return Array.from(used).filter(each => !this.#isOver(each)).length;
  }

  /** What makes a policy's verdict doubtful, once all keys are added: each a line without the policy's name. */
  remarks(policy: Policy): string[] {
    const { doubts, used } = this.#of(policy);
    const ofExceptions = [...policy.exceptions.values()].flatMap(exception => {
      const which = `the exception of ${exception.key}`;
      if (!used.has(exception)) return `${which} excuses nothing: remove it`;
      return this.#isOver(exception) ? `${which} is over since ${dayText(exception.until)}` : [];
    });
    return [...Array.from(doubts, doubt => doubt.text()), ...ofExceptions];
  }

  /** The keys that break a policy, at most so many. */
  *of(policy: Policy, max = Infinity): Generator<ListedKey> {
    let left = max;
    for (const { key } of this.all([policy])) {
      if (left-- <= 0) return;
      yield key;
    }
  }

  /** Each key that breaks one of the policies, once, in the order in which they came. */
  *all(asked = this.policies): Generator<Breach> {
    const wanted = this.#bitsOf(asked);
    for (const [index, key] of this.#keys.entries()) {
      const bits = (this.#bits[index] ?? 0) & wanted;
      if (bits !== 0) yield { key, policies: this.policies.filter((_, bit) => bits & (1 << bit)) };
    }
  }

  /** Whether the key breaks it. */
  #count(policy: Policy, key: ListedKey): boolean {
    const found = this.#of(policy);
    for (const doubt of found.doubts) if (doubt.isSettledBy(key)) found.doubts.delete(doubt);
    const lacked = policy.lacked(key);
    if (lacked !== undefined) addOne(found.unjudged, lacked);
    if (lacked !== undefined || !policy.breaks(key, this.#now)) return false;
    const exception = policy.exceptions.get(key.id);
    if (exception) found.used.add(exception);
    if (exception && !this.#isOver(exception)) return false;
    found.count += 1;
    return true;
  }

  #bitsOf(policies: readonly Policy[]): number {
    return policies.reduce((bits, policy) => bits | (1 << this.policies.indexOf(policy)), 0);
  }

  #isOver({ until }: Exception): boolean {
    return until <= this.#now;
  }

  #of(policy: Policy): Found {
    return this.#found.get(policy) as Found;
  }
}
