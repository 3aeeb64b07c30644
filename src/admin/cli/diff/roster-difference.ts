import { DatabaseSync } from 'node:sqlite';
import { type ListedKey, timeOf, workspaceOf } from '../../../client/listed-key.ts';
import { keepHeapSmall } from '../../../shared/command/small-heap.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { tells } from '../../find/told.ts';
import { addOne } from '../../report/status-counts.ts';
import { type Change, changesOf, fieldsOnlyIn, KINDS, type Kind } from '../../saved/changes.ts';

/** A roster, in any order. */
export interface Side {
  /** For messages. */
  readonly name: string;
  readonly records: AsyncIterable<readonly ListedKey[]>;
}

const SIDES = ['old', 'new'] as const;
export type Sides = Readonly<Record<(typeof SIDES)[number], Side>>;

/** SQLite may keep so much of the temporary database in memory. */
const CACHE_KIB = 16 * 1024;
const SQLITE_FULL = 13;

/**
 * How two rosters differ. Memory doesn't grow with them: both and the difference are in a database in a private temporary file, which is
 * unlinked at once, so that nothing of it stays however the process ends.
 */
export class RosterDifference {
  readonly counts = Object.fromEntries(KINDS.map(kind => [kind, 0])) as Record<Kind, number>;
  readonly keys = { old: 0, new: 0 };
  /** How many keys of a roster lack which field, that they have in the other one: it isn't compared. */
  readonly lacked = { old: new Map<string, number>(), new: new Map<string, number>() };
  /** How many records don't tell a status or a workspace, so that nobody sees it change. */
  untold = 0;
  readonly #database = new DatabaseSync('');

  private constructor() {
    keepHeapSmall();
    this.#database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};
      BEGIN`); // one transaction, which is never committed: one for each statement would take most of the time
  }

  /** Throws `Refused` for an ID that a roster has more than once. Whoever has it closes it. */
  static async between(sides: Sides): Promise<RosterDifference> {
    const difference = new RosterDifference();
    try {
      for (const side of SIDES) await difference.#store(side, sides[side]);
      difference.#compare();
      return difference;
    } catch (error) {
      difference.close();
      const isFull = (error as { errcode?: number }).errcode === SQLITE_FULL;
      throw isFull ? new Refused(NO_ROOM, { cause: error }) : error;
    }
  }

  get isEmpty(): boolean {
    return KINDS.every(kind => this.counts[kind] === 0);
  }

  /** Newest key first, and the changes of one key by their kind. */
  *changes(): Generator<Change> {
    for (const [old, current] of this.#pairs()) yield* changesOf(old, current);
  }

  close(): void {
    this.#database.close();
  }

  async #store(side: keyof Sides, { name, records }: Side): Promise<void> {
    this.#database.exec(`CREATE TABLE ${side} (id TEXT NOT NULL, created_at REAL, record TEXT NOT NULL)`);
    const insert = this.#database.prepare(`INSERT INTO ${side} VALUES (?, ?, ?)`);
    for await (const batch of records) {
      for (const record of batch) {
        const time = timeOf(record.created_at);
        insert.run(record.id, Number.isNaN(time) ? null : time, JSON.stringify(record));
        if (!tells(record, 'status') || workspaceOf(record) === undefined) this.untold += 1;
      }
      this.keys[side] += batch.length;
    }
    // One index over all rows is made faster than row by row.
    this.#database.exec(`CREATE INDEX ${side}_by_id ON ${side} (id)`);
    const twice = this.#database
      .prepare(`SELECT id FROM ${side} GROUP BY id HAVING count(*) > 1 LIMIT 1`)
      .get();
    if (twice) throw new Refused(`${name}: has ${twice.id} more than once: leave one`);
  }

  #compare(): void {
    this.#database.exec(`CREATE TABLE difference AS
      SELECT old.record AS old, new.record AS new FROM old FULL JOIN new ON old.id = new.id
      WHERE old.record IS NOT new.record
      ORDER BY coalesce(new.created_at, old.created_at) DESC, coalesce(new.id, old.id) DESC`);
    for (const [old, current] of this.#pairs()) {
      for (const { kind } of changesOf(old, current)) this.counts[kind] += 1;
      if (!old || !current) continue;
      for (const field of fieldsOnlyIn(current, old)) addOne(this.lacked.old, field);
      for (const field of fieldsOnlyIn(old, current)) addOne(this.lacked.new, field);
    }
  }

  /** The records that aren't the same text in both rosters. */
  *#pairs(): Generator<[old: ListedKey | null, current: ListedKey | null]> {
    const rows = this.#database.prepare('SELECT old, new FROM difference ORDER BY rowid');
    for (const { old, new: current } of rows.iterate())
      yield [JSON.parse(String(old)), JSON.parse(String(current))]; // `null` is JSON too
  }
}

const NO_ROOM =
  'the disk is full where temporary files are: set SQLITE_TMPDIR to a folder with as much room as both rosters take';
