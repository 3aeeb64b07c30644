import { StoreBusy } from '../../roster/errors.ts';
import { unavailable } from '../errors.ts';
import type { ReopenedFile } from './reopened-file.ts';

/** A read that has waited this long is refused: there is more to read than there is time. */
const MAX_WAIT_MS = 400;
/** Larger batches would save little more, and all their pages would be in memory at once. */
const MAX_BATCH = 16;
/** Large pages would fill the memory sooner: once a batch has taken this long, the rest waits for another. */
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
 * Runs the reads of one turn of the event loop at its end, in batches, each over one snapshot of the store. What a snapshot
 * costs (the locks of the file, the check whether anyone wrote) is paid once for a batch, and the same code runs many times
 * in a row. A snapshot is taken after its reads were requested, so they see whatever was committed before.
 */
export class BatchedReads<Reads extends SnapshotReads> {
  readonly #file: ReopenedFile<Reads>;
  #pending: PendingRead<Reads>[] = [];

  constructor(file: ReopenedFile<Reads>) {
    this.#file = file;
  }

  /** Throws `StoreUnavailable` when the file can't be read, and `StoreBusy`. */
  read<T>(read: (reads: Reads) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      // One callback for each batch, so that answers are sent between them.
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
      const storeUnavailable = unavailable(error);
      if (storeUnavailable) unreadable = true;
      pending.reject(storeUnavailable ?? error);
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
      for (const pending of batch) reject(pending, error); // does nothing to those that were answered
    }
    if (unreadable) this.#file.discard();
  }

  #postpone(rest: readonly PendingRead<Reads>[]): void {
    this.#pending.unshift(...rest);
    setImmediate(() => this.#runBatch());
  }
}
