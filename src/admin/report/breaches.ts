import type { ApiKeyRecord } from '../../client/client.ts';
import type { Exception, KeyPolicy, Level, Policy } from './policies.ts';
import { asItCame, type JudgedField, readableRecord } from './readable-record.ts';
import { dayOf } from './sections.ts';

/** Keys are given by so many, as whoever prints them makes one text of each batch. */
const BATCH_SIZE = 100;

/** A key, once, with all policies that it breaks. */
export interface Breach {
  readonly key: ApiKeyRecord;
  readonly policies: readonly Policy[];
}

/** What was found of a policy. */
class Found {
  /** Breaches; of a policy with groups it is counted by their sizes. */
  count = 0;
  readonly groupSizes = new Map<string, number>();
  /** How many keys the policy couldn't judge, by the field that they lack. */
  readonly unjudged = new Map<JudgedField, number>();
  /** The keys that would break it but for an exception, each with its group. */
  readonly excused = new Map<string, string | null>();
  /** Exceptions of keys that break it, whose time is over. */
  readonly over = new Set<Exception>();
  selectsSome: boolean;
  knowsCreator: boolean;
  readonly missingWorkspaces: Set<string | null>;

  constructor({ means: { selects, workspaces, creators } }: Policy) {
    this.selectsSome = selects === undefined;
    this.knowsCreator = creators === undefined;
    this.missingWorkspaces = new Set(workspaces);
  }
}

/** Finds every breach of a policy, in whatever order the keys come. Keeps each key that breaks one, once. */
export class Breaches {
  readonly policies: readonly Policy[];
  readonly #found: ReadonlyMap<Policy, Found>;
  readonly #now: number;
  /** As they came. For a policy with groups all of its keys, as those that come later count too. */
  readonly #keys: ApiKeyRecord[] = [];
  /** Of each of these keys a bit for each policy, by its index. */
  readonly #bits: number[] = [];

  /** @param policies at most 31. */
  constructor(policies: readonly Policy[], now: Date) {
    this.policies = policies;
    this.#now = now.getTime();
    this.#found = new Map(policies.map(policy => [policy, new Found(policy)]));
  }

  /** Before anything is read. */
  add(keys: readonly { readonly key: ApiKeyRecord; readonly ageMs: number }[]): void {
    for (const { key, ageMs } of keys) {
      let bits = 0;
      for (const [index, policy] of this.policies.entries())
        if (mayBreak(policy, this.#of(policy), [key, ageMs, this.#now])) bits |= 1 << index;
      if (bits === 0) continue;
      this.#keys.push(asItCame(key));
      this.#bits.push(bits);
    }
  }

  count(policy: Policy): number {
    const found = this.#of(policy);
    if (!('max' in policy)) return found.count;
    let count = 0;
    for (const size of found.groupSizes.values()) if (size > policy.max) count += size;
    return count - this.excused(policy);
  }

  /** Those of all policies, or of those with this level. A key counts for each policy that it breaks. */
  total(level?: Level): number {
    const counted = this.policies.filter(policy => level === undefined || policy.level === level);
    return counted.reduce((sum, policy) => sum + this.count(policy), 0);
  }

  /** How many keys the policy couldn't judge, by the field that they lack. */
  unjudged(policy: Policy): ReadonlyMap<JudgedField, number> {
    return this.#of(policy).unjudged;
  }

  /** How many keys would break it but for an exception. */
  excused(policy: Policy): number {
    const { excused } = this.#of(policy);
    return Array.from(excused.values()).filter(group => this.#isBroken(policy, group)).length;
  }

  /** What makes a policy's verdict doubtful, once all keys are added: each a line without the policy's name. */
  remarks(policy: Policy): string[] {
    const { selectsSome, knowsCreator, missingWorkspaces, over, excused } = this.#of(policy);
    const needless = [...policy.exceptions.values()].filter(exception => {
      const group = excused.get(exception.key);
      return !over.has(exception) && (group === undefined || !this.#isBroken(policy, group));
    });
    const unknown = [...missingWorkspaces].map(id => `no key is in the workspace ${id}, which its keys name`);
    return [
      ...(selectsSome || unknown.length > 0 ? [] : ['its keys select none']),
      ...unknown,
      ...(knowsCreator ? [] : ['it knows none of the creators: is the list or the directory the right one?']),
      ...[...over].map(({ key, until }) => `the exception of ${key} is over since ${dayText(until)}`),
      ...needless.map(({ key }) => `the exception of ${key} excuses nothing: remove it`),
    ];
  }

  /** The keys that break a policy, at most so many, in batches that aren't empty. */
  *of(policy: Policy, max = Infinity): Generator<readonly ApiKeyRecord[]> {
    let left = Math.min(max, this.count(policy));
    if (left === 0) return;
    for (const batch of this.#batches([policy])) {
      yield batch.slice(0, left).map(({ key }) => key);
      left -= batch.length;
      if (left <= 0) return;
    }
  }

  /** Each key that breaks a policy, once, in the order in which they came, in batches that aren't empty. */
  all(): Generator<readonly Breach[]> {
    return this.#batches(this.policies);
  }

  *#batches(asked: readonly Policy[]): Generator<readonly Breach[]> {
    const bitOf = new Map(asked.map(policy => [policy, 1 << this.policies.indexOf(policy)]));
    const wanted = [...bitOf.values()].reduce((all, bit) => all | bit, 0);
    let batch: Breach[] = [];
    for (const [index, received] of this.#keys.entries()) {
      const bits = this.#bits[index] ?? 0;
      if ((bits & wanted) === 0) continue;
      const key = readableRecord(received);
      const policies = asked.filter(policy => bits & (bitOf.get(policy) ?? 0) && this.#isBreach(policy, key));
      if (policies.length > 0) batch.push({ key, policies });
      if (batch.length < BATCH_SIZE) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  /** Of a key that may break it. */
  #isBreach(policy: Policy, key: ApiKeyRecord): boolean {
    if (!('max' in policy)) return true;
    return !this.#of(policy).excused.has(key.id) && this.#isBroken(policy, policy.groupOf(key));
  }

  /** Whether the keys of a group break it, if it has groups. */
  #isBroken(policy: Policy, group: string | null): boolean {
    return !('max' in policy) || (this.#of(policy).groupSizes.get(group ?? '') ?? 0) > policy.max;
  }

  #of(policy: Policy): Found {
    return this.#found.get(policy) as Found;
  }
}

const dayText = (time: number) => dayOf(new Date(time).toISOString());

/** Counts the key for its group, or as one that can't be judged or is excused. */
function mayBreak(policy: Policy, found: Found, judged: Parameters<KeyPolicy['breaks']>): boolean {
  const [key, , now] = judged;
  found.selectsSome ||= policy.means.selects?.(key) ?? true;
  found.knowsCreator ||= policy.means.creators?.(key.created_by.id) ?? true;
  if (found.missingWorkspaces.size > 0) found.missingWorkspaces.delete(key.workspace_id);
  const lacked = policy.fieldLacked(key);
  if (lacked !== undefined) {
    addOne(found.unjudged, lacked);
    return false;
  }
  const group = 'max' in policy ? policy.groupOf(key) : null;
  if ('max' in policy ? group === null : !policy.breaks(...judged)) return false;
  if (group !== null) addOne(found.groupSizes, group);
  const exception = policy.exceptions.get(key.id);
  if (exception && exception.until > now) {
    found.excused.set(key.id, group);
    return false;
  }
  if (exception) found.over.add(exception);
  found.count += 1;
  return true;
}

function addOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
