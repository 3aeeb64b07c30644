import { hash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ApiKeyRecord } from '../client/client.ts';
import type { Level, Policy } from './policies.ts';

export interface Breach {
  readonly policy: Policy;
  readonly api_key: ApiKeyRecord;
}

const BATCH_SIZE = 500;

/**
 * A private file without a name, which is gone however the process ends. Nothing is ever rolled back, so it needs no journal. All
 * is written in one transaction. `broken` has a bit for each policy, apart from the long records, since it changes.
 */
const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA cache_size = -16384;
  CREATE TABLE records (number INTEGER PRIMARY KEY, record TEXT NOT NULL);
  CREATE TABLE breaches (number INTEGER PRIMARY KEY, broken INTEGER NOT NULL);
  CREATE TABLE grouped (policy INTEGER NOT NULL, digest BLOB NOT NULL, number INTEGER NOT NULL);
  BEGIN`;

/**
 * Finds every breach of a policy, in whatever order the keys come. There may be as many as there are keys, with names of 1,000
 * characters, and whether a key breaks a policy may be known only after the last one, so they wait in a temporary database.
 */
export class Breaches {
  readonly #policies: readonly Policy[];
  readonly #counts: number[];
  readonly #database = new DatabaseSync('');
  readonly #insertRecord: StatementSync;
  readonly #insertBreach: StatementSync;
  readonly #insertGrouped: StatementSync;
  #kept = 0;
  #settled = false;

  /** At most as many policies as a number has bits for. */
  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
    this.#counts = policies.map(() => 0);
    this.#database.exec(SCHEMA);
    this.#insertRecord = this.#database.prepare('INSERT INTO records VALUES (?, ?)');
    this.#insertBreach = this.#database.prepare('INSERT INTO breaches VALUES (?, ?)');
    this.#insertGrouped = this.#database.prepare('INSERT INTO grouped VALUES (?, ?, ?)');
  }

  /** Before anything is read. */
  add(keys: readonly { readonly key: ApiKeyRecord; readonly ageMs: number }[]): void {
    for (const { key, ageMs } of keys) this.#add(key, ageMs);
  }

  #add(key: ApiKeyRecord, ageMs: number): void {
    let broken = 0;
    let isInGroup = false;
    for (const [place, policy] of this.#policies.entries()) {
      if ('max' in policy) {
        const group = policy.groupOf(key);
        if (group === null) continue;
        this.#insertGrouped.run(place, digestOf(group), this.#kept);
        isInGroup = true;
      } else if (policy.breaks(key, ageMs)) {
        this.#counts[place] = (this.#counts[place] ?? 0) + 1;
        broken |= bitOf(place);
      }
    }
    if (broken === 0 && !isInGroup) return;
    this.#insertRecord.run(this.#kept, JSON.stringify(key));
    this.#insertBreach.run(this.#kept, broken);
    this.#kept += 1;
  }

  count(policy: Policy): number {
    this.#settle();
    return this.#counts[this.#policies.indexOf(policy)] ?? 0;
  }

  /** Those of all policies, or of those with this level. */
  total(level?: Level): number {
    const counted = this.#policies.filter(policy => level === undefined || policy.level === level);
    return counted.reduce((sum, policy) => sum + this.count(policy), 0);
  }

  /** Finds the breaches of groups, once all keys are known. */
  #settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    const markGroups = this.#database.prepare(
      `UPDATE breaches SET broken = broken | :bit WHERE number IN (
         SELECT number FROM grouped WHERE policy = :policy AND digest IN (
           SELECT digest FROM grouped WHERE policy = :policy GROUP BY digest HAVING count(*) > :max))`,
    );
    for (const [place, policy] of this.#policies.entries()) {
      if (!('max' in policy)) continue;
      const { changes } = markGroups.run({ bit: bitOf(place), policy: place, max: policy.max });
      this.#counts[place] = Number(changes);
    }
  }

  /** All breaches, in the order of the policies and then of the keys, in batches that aren't empty. */
  *[Symbol.iterator](): Generator<readonly Breach[]> {
    for (const policy of this.#policies) yield* this.of(policy);
  }

  /** The breaches of a policy, at most so many. */
  *of(policy: Policy, max = Infinity): Generator<readonly Breach[]> {
    const count = Math.min(max, this.count(policy));
    const rows = this.#database
      .prepare(
        'SELECT record FROM breaches JOIN records USING (number) WHERE broken & ? ORDER BY number LIMIT ?',
      )
      .iterate(bitOf(this.#policies.indexOf(policy)), count);
    let batch: Breach[] = [];
    for (const { record } of rows) {
      batch.push({ policy, api_key: JSON.parse(String(record)) });
      if (batch.length < BATCH_SIZE) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  close(): void {
    this.#database.close();
  }
}

const bitOf = (place: number) => 2 ** place;

/** No two texts are known whose SHA-256 digests agree in 128 bits. JSON tells broken surrogates apart, which UTF-8 doesn't. */
const digestOf = (text: string) => hash('sha256', JSON.stringify(text), 'buffer').subarray(0, 16);
