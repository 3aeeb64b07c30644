import { hash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ApiKeyRecord } from '../client/client.ts';
import type { GroupPolicy, Level, Policy } from './policies.ts';

export interface Breach {
  readonly policy: Policy;
  readonly api_key: ApiKeyRecord;
}

const BATCH_SIZE = 500;

/**
 * A private file without a name, which is gone however the process ends. Nothing is ever rolled back, so it needs no journal. All
 * is written in one transaction.
 */
const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA cache_size = -16384;
  CREATE TABLE records (number INTEGER PRIMARY KEY, record TEXT NOT NULL);
  CREATE TABLE grouped (policy INTEGER NOT NULL, digest BLOB NOT NULL, record INTEGER NOT NULL);
  CREATE TABLE breaches (policy INTEGER, record INTEGER, PRIMARY KEY (policy, record)) WITHOUT ROWID;
  BEGIN`;

/**
 * Finds every breach of a policy, in whatever order the keys come. There may be as many as there are keys, with names of 1,000
 * characters, and a key may break a policy only when the last one is known, so all of them wait in a temporary database.
 */
export class Breaches {
  readonly #policies: readonly Policy[];
  readonly #database = new DatabaseSync('');
  readonly #insertRecord: StatementSync;
  readonly #insertGrouped: StatementSync;
  readonly #insertBreach: StatementSync;
  #records = 0;
  /** By policy, once all keys are added. */
  #counts: ReadonlyMap<Policy, number> | undefined;

  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
    this.#database.exec(SCHEMA);
    this.#insertRecord = this.#database.prepare('INSERT INTO records VALUES (?, ?)');
    this.#insertGrouped = this.#database.prepare('INSERT INTO grouped VALUES (?, ?, ?)');
    this.#insertBreach = this.#database.prepare('INSERT INTO breaches VALUES (?, ?)');
  }

  /** Before anything is read. */
  add(keys: readonly { readonly key: ApiKeyRecord; readonly ageMs: number }[]): void {
    for (const { key, ageMs } of keys) this.#add(key, ageMs);
  }

  #add(key: ApiKeyRecord, ageMs: number): void {
    const number = this.#records;
    for (const [place, policy] of this.#policies.entries()) {
      if ('max' in policy) {
        const group = policy.groupOf(key);
        if (group !== null) this.#insertGrouped.run(place, digestOf(group), this.#keep(number, key));
      } else if (policy.breaks(key, ageMs)) this.#insertBreach.run(place, this.#keep(number, key));
    }
  }

  /** Keeps a record once, and returns its number. */
  #keep(number: number, key: ApiKeyRecord): number {
    if (number === this.#records) {
      this.#insertRecord.run(number, JSON.stringify(key));
      this.#records += 1;
    }
    return number;
  }

  count(policy: Policy): number {
    this.#counts ??= this.#settled();
    return this.#counts.get(policy) ?? 0;
  }

  /** Those of all policies, or of those with this level. */
  total(level?: Level): number {
    const counted = this.#policies.filter(policy => level === undefined || policy.level === level);
    return counted.reduce((sum, policy) => sum + this.count(policy), 0);
  }

  /** Finds the breaches of groups, and counts all. */
  #settled(): Map<Policy, number> {
    const findBreaches = this.#database.prepare(
      `INSERT INTO breaches SELECT policy, record FROM grouped WHERE policy = :policy AND digest IN
         (SELECT digest FROM grouped WHERE policy = :policy GROUP BY digest HAVING count(*) > :max)`,
    );
    const count = this.#database.prepare('SELECT count(*) AS count FROM breaches WHERE policy = ?');
    return new Map(
      this.#policies.map((policy, place) => {
        if (isOfGroups(policy)) findBreaches.run({ policy: place, max: policy.max });
        return [policy, Number(count.get(place)?.count)];
      }),
    );
  }

  /** All breaches, in the order of the policies and then of the keys, in batches that aren't empty. */
  *[Symbol.iterator](): Generator<readonly Breach[]> {
    for (const policy of this.#policies) yield* this.of(policy);
  }

  /** The breaches of a policy, at most so many. */
  *of(policy: Policy, max = this.count(policy)): Generator<readonly Breach[]> {
    const rows = this.#database
      .prepare('SELECT record FROM breaches WHERE policy = ? ORDER BY record LIMIT ?')
      .iterate(this.#policies.indexOf(policy), Math.min(max, this.count(policy)));
    const recordOf = this.#database.prepare('SELECT record FROM records WHERE number = ?');
    let batch: Breach[] = [];
    for (const { record } of rows) {
      batch.push({ policy, api_key: JSON.parse(String(recordOf.get(record as number)?.record)) });
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

const isOfGroups = (policy: Policy): policy is GroupPolicy => 'max' in policy;

/** No two texts are known whose SHA-256 digests agree in 128 bits. JSON tells broken surrogates apart, which UTF-8 doesn't. */
const digestOf = (text: string) => hash('sha256', JSON.stringify(text), 'buffer').subarray(0, 16);
