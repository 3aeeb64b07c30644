import type { ListedKey } from '../../client/listed-key.ts';
import type { Needed } from '../find/told.ts';
import type { Doubt, Exception, Level, Policy } from './policies.ts';
import { dayText } from './sections.ts';
import { addOne } from './status-counts.ts';

/** A key, once, with all policies that it breaks. */
export interface Breach {
  readonly key: ListedKey;
  readonly policies: readonly Policy[];
}

/** What was found of a policy. */
class Found {
  /** Its breaches. */
  count = 0;
  readonly groupSizes = new Map<string, number>();
  /** Of those keys of a group that are excused: they count for none. */
  readonly excusedOf = new Map<string, number>();
  /** How many keys the policy couldn't judge, by what they don't tell. */
  readonly unjudged = new Map<Needed, number>();
  /** The exceptions of keys that would break it, if their group is large enough. */
  readonly used = new Map<Exception, string>();
  readonly doubts: Set<Doubt>;

  constructor(policy: Policy) {
    this.doubts = new Set(policy.doubts());
  }
}

/** Finds every breach of a policy, in whatever order the keys come. Keeps each key that breaks one, once. */
export class Breaches {
  readonly policies: readonly Policy[];
  readonly #found: ReadonlyMap<Policy, Found>;
  readonly #now: number;
  /** For a policy with groups all of its keys, as those that come later count too. */
  readonly #keys: ListedKey[] = [];
  /** Of each of these keys a bit for each policy, by its index. */
  readonly #bits: number[] = [];

  /** @param policies at most 31. */
  constructor(policies: readonly Policy[], now: Date) {
    this.policies = policies;
    this.#now = now.getTime();
    this.#found = new Map(policies.map(policy => [policy, new Found(policy)]));
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

  /** Counts a key without keeping it. Returns the policies that it breaks or, as its groups grow, may break. */
  countKey(key: ListedKey): readonly Policy[] {
    return this.policies.filter(policy => mayBreak(policy, this.#of(policy), key, this.#now));
  }

  /** The policies that a key breaks, kept or not, by the groups of all that were counted. */
  brokenBy(key: ListedKey): readonly Policy[] {
    return this.policies.filter(policy => {
      const exception = policy.exceptions.get(key.id);
      if (policy.lacked(key) !== undefined || (exception && !this.#isOver(exception))) return false;
      return policy.breaks(key, this.#now) && this.isBroken(policy, key);
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
    return Array.from(used.keys()).filter(each => !this.#isOver(each) && this.#isUsed(policy, each)).length;
  }

  #isUsed(policy: Policy, exception: Exception): boolean {
    const { used, groupSizes, excusedOf } = this.#of(policy);
    const group = used.get(exception);
    return group !== undefined && (groupSizes.get(group) ?? 0) + (excusedOf.get(group) ?? 0) > policy.max;
  }

  /** What makes a policy's verdict doubtful, once all keys are added: each a line without the policy's name. */
  remarks(policy: Policy): string[] {
    const { doubts } = this.#of(policy);
    const ofExceptions = [...policy.exceptions.values()].flatMap(exception => {
      const which = `the exception of ${exception.key}`;
      if (!this.#isUsed(policy, exception)) return `${which} excuses nothing: remove it`;
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
      if (bits === 0) continue;
      const policies = this.policies.filter((policy, bit) => bits & (1 << bit) && this.isBroken(policy, key));
      if (policies.length > 0) yield { key, policies };
    }
  }

  #bitsOf(policies: readonly Policy[]): number {
    return policies.reduce((bits, policy) => bits | (1 << this.policies.indexOf(policy)), 0);
  }

  /** Whether a key that may break it does, by the keys of its group that were counted. */
  isBroken(policy: Policy, key: ListedKey): boolean {
    return policy.max === 0 || (this.#of(policy).groupSizes.get(policy.groupOf(key)) ?? 0) > policy.max;
  }

  #isOver({ until }: Exception): boolean {
    return until <= this.#now;
  }

  #of(policy: Policy): Found {
    return this.#found.get(policy) as Found;
  }
}

/** Counts the key for its group, or as one that can't be judged or is excused. */
function mayBreak(policy: Policy, found: Found, key: ListedKey, now: number): boolean {
  for (const doubt of found.doubts) if (doubt.isSettledBy(key)) found.doubts.delete(doubt);
  const lacked = policy.lacked(key);
  if (lacked !== undefined) {
    addOne(found.unjudged, lacked);
    return false;
  }
  if (!policy.breaks(key, now)) return false;
  const group = policy.groupOf(key);
  const exception = policy.exceptions.get(key.id);
  if (exception) found.used.set(exception, group);
  if (exception && exception.until > now) {
    addOne(found.excusedOf, group);
    return false;
  }
  const size = addOne(found.groupSizes, group);
  if (size > policy.max) found.count += size === policy.max + 1 ? size : 1; // with it, those before it break it too
  return true;
}
