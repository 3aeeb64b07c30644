import { StoreBusy } from '../roster/errors.ts';
import { unavailable } from './faults.ts';
import type { FollowedFile } from './followed-file.ts';

/** A read that has waited this long is refused: there is more to read than there is time. */
const MAX_WAIT_FOR_SNAPSHOT_MS = 400;
/** More reads in one snapshot would save little, and all their pages would be in memory at once. */
const MAX_READS = 16;
/** Large pages would fill the memory sooner: once a snapshot has lasted this long, what is left waits for another. */
const MAX_SNAPSHOT_MS = 1;

/** Reads of one connection; those between `begin` and `end` see one snapshot of the store. */
interface SnapshotReads {
  begin(): void;
  end(): void;
  close(): void;
}

/** A read that waits for its snapshot, and who waits for it. */
interface Asked<Reads> {
  /** On the clock of `performance.now()`. */
  readonly since: number;
  answer(reads: Reads): void;
  refuse(error: unknown): void;
}

/**
 * Reads that are asked for in one turn of the event loop are made at its end, some at a time over one snapshot of the
 * store. What a snapshot costs (the locks of the file, the question whether anyone wrote to it) is then paid once for all of
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
      // One callback for each snapshot, so that answers go out between them.
      if (this.#asked.length % MAX_READS === 0) setImmediate(() => this.#readSome());
      this.#asked.push({ since: performance.now(), answer: reads => resolve(read(reads)), refuse });
    });
  }

  close(): void {
    this.#file.close();
  }

  #readSome(): void {
    const some = this.#asked.splice(0, MAX_READS);
    let failed = false;
    const refuse = (asked: Asked<Reads>, error: unknown) => {
      const fault = unavailable(error);
      if (fault) failed = true;
      asked.refuse(fault ?? error);
    };
    try {
      const reads = this.#file.current();
      reads.begin();
      const end = performance.now() + MAX_SNAPSHOT_MS;
      for (const [index, asked] of some.entries()) {
        const now = performance.now();
        if (now > end) {
          this.#readLater(some.splice(index));
          break;
        }
        try {
          if (now - asked.since > MAX_WAIT_FOR_SNAPSHOT_MS) throw new StoreBusy();
          asked.answer(reads);
        } catch (error) {
          refuse(asked, error);
        }
      }
      if (!failed) reads.end();
    } catch (error) {
      failed = true;
      for (const asked of some) refuse(asked, error); // one that has its answer keeps it
    }
    if (failed) this.#file.forget();
  }

  #readLater(left: readonly Asked<Reads>[]): void {
    this.#asked.unshift(...left);
    setImmediate(() => this.#readSome());
  }
}
