import { StoreBusy } from '../roster/errors.ts';
import { unavailable } from './faults.ts';
import type { FollowedFile } from './followed-file.ts';

/** So long may the reads of one turn take. There is no time for those that are left then: more of them come already. */
const LONGEST_TURN_MS = 200;

/** Reads of one connection; those between `begin` and `end` see one snapshot of the store. */
interface SnapshotReads {
  begin(): void;
  end(): void;
  close(): void;
}

/** A read that waits for the end of the turn, and who waits for it. */
interface Asked<Reads> {
  answer(reads: Reads): void;
  refuse(error: unknown): void;
}

/**
 * Reads that are asked for in one turn of the event loop are made together, at its end, over one snapshot of the store.
 * What a snapshot costs (the locks of the file, the question whether anyone wrote to it) is then paid once for all of
 * them, and the same code runs again and again in a row. Each was asked for before its snapshot was taken, so whatever
 * was committed before is in its answer.
 */
export class TurnSnapshot<Reads extends SnapshotReads> {
  readonly #file: FollowedFile<Reads>;
  #asked: Asked<Reads>[] = [];

  constructor(file: FollowedFile<Reads>) {
    this.#file = file;
  }

  /** Throws `StoreUnavailable` for a fault of the file, and `StoreBusy`. */
  read<T>(read: (reads: Reads) => T): Promise<T> {
    return new Promise((resolve, refuse) => {
      if (this.#asked.length === 0) setImmediate(() => this.#readAll());
      this.#asked.push({ answer: reads => resolve(read(reads)), refuse });
    });
  }

  close(): void {
    this.#file.close();
  }

  #readAll(): void {
    const all = this.#asked;
    this.#asked = [];
    let failed = false;
    const refuse = (asked: Asked<Reads>, error: unknown) => {
      const fault = unavailable(error);
      if (fault) failed = true;
      asked.refuse(fault ?? error);
    };
    try {
      const reads = this.#file.current();
      const until = performance.now() + LONGEST_TURN_MS;
      reads.begin();
      for (const asked of all) {
        try {
          if (performance.now() > until) throw new StoreBusy();
          asked.answer(reads);
        } catch (error) {
          refuse(asked, error);
        }
      }
      if (!failed) reads.end();
    } catch (error) {
      failed = true;
      for (const asked of all) refuse(asked, error); // one that has its answer keeps it
    }
    if (failed) this.#file.forget();
  }
}
