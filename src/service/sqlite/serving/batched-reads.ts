import { StoreBusy, StoreUnavailable } from '../../roster/errors.ts';
import { storeUnavailable } from '../errors.ts';
import { isPerhapsTransient, type ReopenedFile } from './reopened-file.ts';

/** A read that has waited longer is refused: more reads arrive than can be served. */
const MAX_WAIT_MS = 400;
/** A larger batch would save little more. */
const MAX_BATCH = 64;
/** A request reads its admin key, and then its page. */
const READS_OF_REQUEST = 2;
/** Limits the memory of a batch of large pages: after this time the other reads wait for the next batch. */
const MAX_BATCH_MS = 1;
/** Before the file is looked at again while it is being written. */
const RETRY_MS = 10;
/** For a file whose content is replaced while it is read. */
const MAX_ATTEMPTS = 3;

/** Reads of one connection; those between `begin` and `end` see one snapshot of the store. */
interface SnapshotReads {
  begin(): void;
  end(): void;
  close(): void;
  isIntact(): boolean;
}

interface PendingRead<Reads> {
  /** On the clock of `performance.now()`. */
  readonly since: number;
  /** How many batches had run by then. */
  readonly batches: number;
  /** Returns a function that hands the result over. */
  run(reads: Reads): () => void;
  reject(error: unknown): void;
}

/**
 * Runs the reads of one turn of the event loop at its end, in batches, each in one snapshot of the store; those of a request without others at once. So the cost of a
 * snapshot (file locks, and the check for new commits) is shared by the batch. A snapshot begins after its reads were
 * requested, so they see everything that was committed before.
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
      const run = (reads: Reads) => {
        const result = read(reads);
        return () => resolve(result);
      };
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
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const settlements = this.#readAll(batch);
      if (!settlements) continue;
      for (const settle of settlements) settle();
      return;
    }
    for (const { reject } of batch) reject(new StoreUnavailable('SQLite: the file changes all the time'));
  }

  /** Returns what settles each read; `null` when other content came into the file meanwhile, so that all must be read again. */
  #readAll(batch: PendingRead<Reads>[]): (() => void)[] | null {
    let unreadable = false;
    const rejection = ({ reject }: PendingRead<Reads>, error: unknown) => {
      const unavailable = storeUnavailable(error);
      if (unavailable) unreadable = true;
      return () => reject(unavailable ?? error);
    };
    try {
      const reads = this.#file.current();
      reads.begin();
      const settlements: (() => void)[] = [];
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
          settlements.push(pending.run(reads));
        } catch (error) {
          settlements.push(rejection(pending, error));
        }
      }
      if (!unreadable) reads.end();
      return this.#file.wasUnchanged() ? settlements : null;
    } catch (error) {
      const isTransient = isPerhapsTransient(error);
      if (isTransient) this.#wait(batch);
      const hasFailed = unreadable;
      const rejections = batch.map(pending => rejection(pending, error));
      unreadable = hasFailed || !isTransient;
      return rejections;
    } finally {
      if (unreadable) this.#file.discard();
    }
  }

  /** Takes those reads out of the batch that may wait a little longer. */
  #wait(batch: PendingRead<Reads>[]): void {
    const latest = performance.now() - MAX_WAIT_MS;
    const first = batch.findIndex(({ since }) => since > latest);
    if (first < 0) return;
    this.#pending.unshift(...batch.splice(first));
    setTimeout(() => this.#runBatch(), RETRY_MS);
  }

  #postpone(rest: readonly PendingRead<Reads>[]): void {
    this.#pending.unshift(...rest);
    setImmediate(() => this.#runBatch());
  }
}
