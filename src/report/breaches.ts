import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ApiKeyRecord } from '../client/client.ts';
import { asItCame, readableRecord } from '../formats/readable-record.ts';
import type { CsvColumn } from '../formats/render-csv.ts';
import type { Level, Policy } from './policies.ts';

/** Records are written and read by so many: a row for each would take most of the time. One may have 64 KB. */
const BATCH_SIZE = 100;

/**
 * A private file without a name, which is gone however the process ends. Nothing is ever rolled back, so it needs no journal. All
 * is written in one transaction. A row of `batches` has the records from this number on, as JSON Lines.
 */
const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA cache_size = -16384;
  CREATE TABLE batches (number INTEGER PRIMARY KEY, records TEXT NOT NULL);
  BEGIN`;

/**
 * Finds every breach of a policy, in whatever order the keys come. There may be as many as there are keys, with names of 1,000
 * characters, and whether a key breaks a policy may be known only after the last one, so they wait in a temporary database.
 */
export class Breaches {
  readonly #policies: readonly Policy[];
  readonly #counts: number[];
  /** How many keys each policy couldn't judge, by the field that they lack. */
  readonly #unjudged: Map<CsvColumn, number>[];
  readonly #database = new DatabaseSync('');
  readonly #insertBatch: StatementSync;
  /** Adds a key to a group, by the place of a policy that has groups. */
  readonly #insertMember: (StatementSync | undefined)[];
  /** The policies that each record breaks, a bit for each, by the number of the record. */
  readonly #broken: number[] = [];
  /** The records that no batch has yet. */
  #unwritten: string[] = [];
  #settled = false;

  /** At most as many policies as a number has bits for. */
  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
    this.#counts = policies.map(() => 0);
    this.#unjudged = policies.map(() => new Map());
    this.#database.exec(SCHEMA);
    this.#insertBatch = this.#database.prepare('INSERT INTO batches VALUES (?, ?)');
    this.#insertMember = policies.map((policy, place) => {
      if (!('max' in policy)) return undefined;
      this.#database.exec(`CREATE TABLE members_${place} (name TEXT NOT NULL, number INTEGER NOT NULL)`);
      return this.#database.prepare(`INSERT INTO members_${place} VALUES (?, ?)`);
    });
  }

  /** Before anything is read. */
  add(keys: readonly { readonly key: ApiKeyRecord; readonly ageMs: number }[]): void {
    for (const { key, ageMs } of keys) this.#add(key, ageMs);
  }

  #add(key: ApiKeyRecord, ageMs: number): void {
    const number = this.#broken.length;
    let broken = 0;
    let isInGroup = false;
    const isWhole = asItCame(key) === key;
    for (const [place, policy] of this.#policies.entries()) {
      const lacked = isWhole ? undefined : policy.fieldLacked(key);
      if (lacked !== undefined) {
        const unjudged = this.#unjudged[place] as Map<CsvColumn, number>;
        unjudged.set(lacked, (unjudged.get(lacked) ?? 0) + 1);
      } else if ('max' in policy) {
        const group = policy.groupOf(key);
        if (group === null) continue;
        this.#insertMember[place]?.run(JSON.stringify(group), number); // tells broken surrogates apart, which UTF-8 doesn't
        isInGroup = true;
      } else if (policy.breaks(key, ageMs)) {
        this.#count(place);
        broken |= bitOf(place);
      }
    }
    if (broken === 0 && !isInGroup) return;
    this.#broken.push(broken);
    this.#unwritten.push(JSON.stringify(asItCame(key)));
    if (this.#unwritten.length === BATCH_SIZE) this.#writeBatch();
  }

  #count(place: number): void {
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  #writeBatch(): void {
    this.#insertBatch.run(this.#broken.length - this.#unwritten.length, this.#unwritten.join('\n'));
    this.#unwritten = [];
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

  /** How many keys the policy couldn't judge, by the field that they lack. */
  unjudged(policy: Policy): ReadonlyMap<CsvColumn, number> {
    return this.#unjudged[this.#policies.indexOf(policy)] ?? new Map();
  }

  /** Finds the breaches of groups, once all keys are known. */
  #settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    if (this.#unwritten.length > 0) this.#writeBatch();
    for (const [place, policy] of this.#policies.entries()) {
      if (!('max' in policy)) continue;
      const members = this.#database.prepare(
        `SELECT number FROM (SELECT number, count(*) OVER (PARTITION BY name) AS size FROM members_${place}) WHERE size > ?`,
      );
      for (const { number } of members.iterate(policy.max)) {
        this.#count(place);
        this.#broken[Number(number)] = (this.#broken[Number(number)] ?? 0) | bitOf(place);
      }
    }
  }

  /** The keys that break a policy, at most so many, in batches that aren't empty. */
  *of(policy: Policy, max = Infinity): Generator<readonly ApiKeyRecord[]> {
    for (const batch of this.jsonOf(policy, max)) yield batch.map(json => readableRecord(JSON.parse(json)));
  }

  /** The same as JSON, as they came. */
  *jsonOf(policy: Policy, max = Infinity): Generator<readonly string[]> {
    let left = Math.min(max, this.count(policy));
    const bit = bitOf(this.#policies.indexOf(policy));
    const readBatch = this.#database.prepare('SELECT records FROM batches WHERE number = ?');
    for (let number = 0; left > 0; number += BATCH_SIZE) {
      const broken = this.#broken.slice(number, number + BATCH_SIZE);
      if (broken.every(bits => (bits & bit) === 0)) continue;
      const records = String(readBatch.get(number)?.records).split('\n');
      const found = records.filter((_, index) => ((broken[index] ?? 0) & bit) !== 0).slice(0, left);
      left -= found.length;
      yield found;
    }
  }

  close(): void {
    this.#database.close();
  }
}

const bitOf = (place: number) => 2 ** place;
