import { StoreBusy } from '../../roster/errors.ts';
import { storeUnavailable } from '../errors.ts';
import type { ReopenedFile } from './reopened-file.ts';

/** A read that has waited longer is refused: more reads arrive than can be served. */
const MAX_WAIT_MS = 400;
/** A larger batch would save little more, and all its pages would be in memory at once. */
const MAX_BATCH = 16;
/** Limits the memory of a batch of large pages: after this time the other reads wait for the next batch. */
const MAX_BATCH_MS = 1;

/** Reads of one connection; those between `begin` and `end` see one snapshot of the store. */
interface SnapshotReads {
  begin(): void;
  end(): void;
  close(): void;
}

interface PendingRead<Reads> {
  /** On the clock of `performance.now()`. */
  readonly since: number;
  run(reads: Reads): void;
  reject(error: unknown): void;
}

/**
 * Runs the reads of one turn of the event loop at its end, in batches, each in one snapshot of the store. So the cost of a
 * snapshot (file locks, and the check for new commits) is shared by the batch. A snapshot begins after its reads were
 * requested, so they see everything that was committed before.
 */
export class BatchedReads<Reads extends SnapshotReads> {
  readonly #file: ReopenedFile<Reads>;
  #pending: PendingRead<Reads>[] = [];

  constructor(file: ReopenedFile<Reads>) {
    this.#file = file;
  }

  /** Throws `StoreUnavailable` when the file can't be read, and `StoreBusy` when the read has waited too long. */
  read<T>(read: (reads: Reads) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      // One callback for each batch, so that responses are sent between batches.
      if (this.#pending.length % MAX_BATCH === 0) setImmediate(() => this.#runBatch());
      this.#pending.push({ since: performance.now(), run: reads => resolve(read(reads)), reject });
    });
  }

  close(): void {
    this.#file.close();
  }

  #runBatch(): void {
    const batch = this.#pending.splice(0, MAX_BATCH);
    let unreadable = false;
    const reject = (pending: PendingRead<Reads>, error: unknown) => {
      const unavailable = storeUnavailable(error);
      if (unavailable) unreadable = true;
      pending.reject(unavailable ?? error);
    };
    try {
      const reads = this.#file.current();
      reads.begin();
      const end = performance.now() + MAX_BATCH_MS;
      for (const [index, pending] of batch.entries()) {
        const now = performance.now();
        if (now > end) {
          this.#postpone(batch.splice(index));
          break;
        }
        try {
          if (now - pending.since > MAX_WAIT_MS) throw new StoreBusy();
          pending.run(reads);
        } catch (error) {
          reject(pending, error);
        }
      }
      if (!unreadable) reads.end();
    } catch (error) {
      unreadable = true;
      for (const pending of batch) reject(pending, error); // no effect on those that are settled
    }
    if (unreadable) this.#file.discard();
  }

  #postpone(rest: readonly PendingRead<Reads>[]): void {
    this.#pending.unshift(...rest);
    setImmediate(() => this.#runBatch());
  }
}
