import type { ApiKeyRecord } from '../../client/client.ts';
import type { KeyPolicy, Level, Policy } from './policies.ts';
import { asItCame, type JudgedField, readableRecord } from './readable-record.ts';

/** Keys are given by so many, as whoever prints them makes one text of each batch. */
const BATCH_SIZE = 100;

interface Found {
  /** The keys that break the policy, as they came. For a policy with groups: all of its keys, as those that come later count too. */
  readonly keys: ApiKeyRecord[];
  readonly groupSizes: Map<string, number>;
  /** How many keys the policy couldn't judge, by the field that they lack. */
  readonly unjudged: Map<JudgedField, number>;
}

/** Finds every breach of a policy, in whatever order the keys come. Keeps each key that breaks one. */
export class Breaches {
  readonly #found: ReadonlyMap<Policy, Found>;
  readonly #now: number;

  constructor(policies: readonly Policy[], now: Date) {
    this.#now = now.getTime();
    this.#found = new Map(
      policies.map(policy => [policy, { keys: [], groupSizes: new Map(), unjudged: new Map() }]),
    );
  }

  /** Before anything is read. */
  add(keys: readonly { readonly key: ApiKeyRecord; readonly ageMs: number }[]): void {
    for (const { key, ageMs } of keys)
      for (const [policy, found] of this.#found)
        if (mayBreak(policy, found, [key, ageMs, this.#now])) found.keys.push(asItCame(key));
  }

  count(policy: Policy): number {
    const { keys, groupSizes } = this.#of(policy);
    if (!('max' in policy)) return keys.length;
    let count = 0;
    for (const size of groupSizes.values()) if (size > policy.max) count += size;
    return count;
  }

  /** Those of all policies, or of those with this level. */
  total(level?: Level): number {
    const counted = [...this.#found.keys()].filter(policy => level === undefined || policy.level === level);
    return counted.reduce((sum, policy) => sum + this.count(policy), 0);
  }

  /** How many keys the policy couldn't judge, by the field that they lack. */
  unjudged(policy: Policy): ReadonlyMap<JudgedField, number> {
    return this.#of(policy).unjudged;
  }

  /** The keys that break a policy, at most so many, in batches that aren't empty. */
  *of(policy: Policy, max = Infinity): Generator<readonly ApiKeyRecord[]> {
    const { keys, groupSizes } = this.#of(policy);
    let left = Math.min(max, this.count(policy));
    for (let first = 0; left > 0; first += BATCH_SIZE) {
      const batch = keys.slice(first, first + BATCH_SIZE).map(key => readableRecord(key));
      const broken = 'max' in policy ? batch.filter(key => sizeOf(policy.groupOf(key)) > policy.max) : batch;
      if (broken.length === 0) continue;
      yield broken.slice(0, left);
      left -= broken.length;
    }
    function sizeOf(group: string | null): number {
      return group === null ? 0 : (groupSizes.get(group) ?? 0);
    }
  }

  #of(policy: Policy): Found {
    return this.#found.get(policy) as Found;
  }
}

/** Counts the key for its group, or as one that can't be judged. */
function mayBreak(policy: Policy, found: Found, judged: Parameters<KeyPolicy['breaks']>): boolean {
  const [key] = judged;
  const lacked = policy.fieldLacked(key);
  if (lacked !== undefined) {
    addOne(found.unjudged, lacked);
    return false;
  }
  if (!('max' in policy)) return policy.breaks(...judged);
  const group = policy.groupOf(key);
  if (group !== null) addOne(found.groupSizes, group);
  return group !== null;
}

function addOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
