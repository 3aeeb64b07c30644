import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ApiKeyRecord } from '../../../client/client.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { parseTimestamp } from '../../../shared/record/timestamp.ts';
import { type Change, changesOf, fieldsOnlyIn, KINDS, type Kind } from '../../saved/changes.ts';
import { keepHeapSmall } from '../small-heap.ts';

/** A roster, in any order. */
export interface Side {
  /** For messages. */
  readonly name: string;
  readonly records: AsyncIterable<readonly ApiKeyRecord[]>;
}

/** SQLite may keep so much of the temporary database in memory. */
const CACHE_KIB = 16 * 1024;
const SQLITE_FULL = 13;

/**
 * How two rosters differ. Memory doesn't grow with them: the old one and the differences are in a database in a private temporary
 * file, which is unlinked at once, so that nothing of it stays however the process ends.
 */
export class RosterDifference {
  readonly counts: Record<Kind, number>;
  readonly keys = { old: 0, new: 0 };
  /** How many keys of a roster lack which field, that they have in the other one: it isn't compared. */
  readonly lacked = { old: new Map<string, number>(), new: new Map<string, number>() };
  readonly #database = new DatabaseSync('');
  /** Which rows of the old roster the new one has. */
  #seen = new Uint8Array(0);

  private constructor() {
    keepHeapSmall();
    this.counts = Object.fromEntries(KINDS.map(kind => [kind, 0])) as Record<Kind, number>;
    this.#database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};
      CREATE TABLE old (row INTEGER PRIMARY KEY, id TEXT NOT NULL, record TEXT NOT NULL);
      CREATE TABLE added (id TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE difference (created_at INTEGER, id TEXT NOT NULL, changes TEXT NOT NULL);
      BEGIN`); // one transaction, which is never committed: one for each statement would take most of the time
  }

  /** Throws `Refused` for an ID that a roster has more than once. Whoever has it closes it. */
  static async between(old: Side, current: Side): Promise<RosterDifference> {
    const difference = new RosterDifference();
    try {
      await difference.#store(old);
      await difference.#compare(current);
      difference.#findGone();
      return difference;
    } catch (error) {
      difference.close();
      throw isFull(error) ? new Refused(NO_ROOM, { cause: error }) : error;
    }
  }

  get isEmpty(): boolean {
    return KINDS.every(kind => this.counts[kind] === 0);
  }

  /** Newest key first, and the changes of one key by their kind. */
  *changes(): Generator<Change> {
    const rows = this.#database.prepare('SELECT changes FROM difference ORDER BY created_at DESC, id DESC');
    for (const { changes } of rows.iterate()) yield* JSON.parse(String(changes)) as Change[];
  }

  close(): void {
    this.#database.close();
  }

  async #store({ name, records }: Side): Promise<void> {
    const insert = this.#database.prepare('INSERT INTO old (id, record) VALUES (?, ?)');
    for await (const batch of records) {
      for (const record of batch) insert.run(record.id, JSON.stringify(record));
      this.keys.old += batch.length;
    }
    // One index over all rows is made faster than row by row.
    this.#database.exec('CREATE INDEX old_by_id ON old (id)');
    const twice = this.#database.prepare('SELECT id FROM old GROUP BY id HAVING count(*) > 1 LIMIT 1').get();
    if (twice) throw duplicate(name, String(twice.id));
    this.#seen = new Uint8Array(this.keys.old + 1);
  }

  async #compare({ name, records }: Side): Promise<void> {
    const find = this.#database.prepare('SELECT row, record FROM old WHERE id = ?');
    const addNew = this.#database.prepare('INSERT OR IGNORE INTO added (id) VALUES (?)');
    const insert = this.#insertDifference();
    for await (const batch of records) {
      for (const record of batch) {
        const found = find.get(record.id);
        const row = Number(found?.row);
        const isNew = found ? this.#seen[row] === 0 : addNew.run(record.id).changes === 1;
        if (!isNew) throw duplicate(name, record.id);
        if (found) this.#seen[row] = 1;
        const isSame = found?.record === JSON.stringify(record);
        if (!isSame) this.#keep(insert, found ? JSON.parse(String(found.record)) : null, record);
      }
      this.keys.new += batch.length;
    }
  }

  #findGone(): void {
    const insert = this.#insertDifference();
    for (const { row, record } of this.#database.prepare('SELECT row, record FROM old').iterate())
      if (this.#seen[Number(row)] === 0) this.#keep(insert, JSON.parse(String(record)), null);
  }

  #insertDifference(): StatementSync {
    return this.#database.prepare('INSERT INTO difference VALUES (?, ?, ?)');
  }

  #keep(insert: StatementSync, old: ApiKeyRecord | null, current: ApiKeyRecord | null): void {
    if (old && current) {
      countFields(this.lacked.old, fieldsOnlyIn(current, old));
      countFields(this.lacked.new, fieldsOnlyIn(old, current));
    }
    const changes = changesOf(old, current);
    if (changes.length === 0) return;
    for (const { kind } of changes) this.counts[kind] += 1;
    const { id, created_at } = (current ?? old) as ApiKeyRecord;
    insert.run(parseTimestamp(created_at) ?? null, id, JSON.stringify(changes));
  }
}

function countFields(counts: Map<string, number>, fields: readonly string[]): void {
  for (const field of fields) counts.set(field, (counts.get(field) ?? 0) + 1);
}

const NO_ROOM =
  'the disk is full where temporary files are: set SQLITE_TMPDIR to a folder with as much room as both rosters take';

function isFull(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === SQLITE_FULL;
}

function duplicate(name: string, id: string): Refused {
  return new Refused(`${name}: has ${id} more than once: leave one`);
}
