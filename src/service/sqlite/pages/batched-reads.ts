import { StoreBusy } from '../../roster/errors.ts';
import { storeUnavailable } from '../errors.ts';
import type { ReopenedFile } from './reopened-file.ts';

/** A read that has waited longer is refused: more reads arrive than can be served. */
const MAX_WAIT_MS = 400;
/** A larger batch would save little more. */
const MAX_BATCH = 64;
/** A request reads its admin key, and then its page. */
const READS_OF_REQUEST = 2;
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
  /** How many batches had run by then. */
  readonly batches: number;
  run(reads: Reads): void;
  reject(error: unknown): void;
}

/**
 * Runs the reads of one turn of the event loop at its end, in batches, each in one snapshot of the store; those of a request without
 * others at once. So the cost of a snapshot (file locks, and the check for new commits) is shared by the batch. It begins after its
 * reads were requested, so they see what was committed before: one that went on for what they are awaited by would miss commits.
 */
export class BatchedReads<Reads extends SnapshotReads> {
  readonly #file: ReopenedFile<Reads>;
  #pending: PendingRead<Reads>[] = [];
  #batches = 0;
  /** How many reads this turn of the event loop has so far, and how many the latest one before had. */
  readonly #reads = { ofThisTurn: 0, ofLastTurn: READS_OF_REQUEST + 1 };

  constructor(file: ReopenedFile<Reads>) {
    this.#file = file;
  }

  /** Throws `StoreUnavailable` when the file can't be read, and `StoreBusy` when the read has waited too long. */
  read<T>(read: (reads: Reads) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const isAlone = this.#isAlone();
      // One callback for each batch, so that responses are sent between batches.
      if (!isAlone && this.#pending.length % MAX_BATCH === 0) setImmediate(() => this.#runBatch());
      const run = (reads: Reads) => resolve(read(reads));
      this.#pending.push({ since: performance.now(), batches: this.#batches, run, reject });
      if (isAlone) this.#runBatch();
    });
  }

  /** A request without others is read at once: it has nobody to share a snapshot with. */
  #isAlone(): boolean {
    const reads = this.#reads;
    if (reads.ofThisTurn === 0)
      setImmediate(() => {
        reads.ofLastTurn = reads.ofThisTurn;
        reads.ofThisTurn = 0;
      });
    reads.ofThisTurn += 1;
    return Math.max(reads.ofThisTurn, reads.ofLastTurn) <= READS_OF_REQUEST && this.#pending.length === 0;
  }

  close(): void {
    this.#file.close();
  }

  #runBatch(): void {
    const batch = this.#pending.splice(0, MAX_BATCH);
    this.#batches += 1;
    let reads: Reads | undefined;
    try {
      reads = this.#file.current();
      reads.begin();
      if (this.#readAll(reads, batch)) reads.end();
      else this.#file.discard();
    } catch (error) {
      if (reads) this.#file.discard();
      for (const { reject } of batch) reject(storeUnavailable(error) ?? error);
    }
  }

  /** Returns whether the file could be read. */
  #readAll(reads: Reads, batch: PendingRead<Reads>[]): boolean {
    let readable = true;
    const end = performance.now() + MAX_BATCH_MS;
    for (const [index, pending] of batch.entries()) {
      const now = performance.now();
      if (now > end) {
        this.#postpone(batch.splice(index));
        break;
      }
      try {
        // One in the first batch since waited for a pause of the whole process, and not behind other reads.
        const isBehind = this.#batches > pending.batches + 1;
        if (isBehind && now - pending.since > MAX_WAIT_MS) throw new StoreBusy();
        pending.run(reads);
      } catch (error) {
        const unavailable = storeUnavailable(error);
        if (unavailable) readable = false;
        pending.reject(unavailable ?? error);
      }
    }
    return readable;
  }

  #postpone(rest: readonly PendingRead<Reads>[]): void {
    this.#pending.unshift(...rest);
    setImmediate(() => this.#runBatch());
  }
}
