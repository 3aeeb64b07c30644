import { Refused } from '../../../shared/record/faults.ts';
import { type FileState, stateOf } from '../files/file-state.ts';
import { BeingWritten, ForeignContent, ForeignLog, StoreFiles, type Verified } from '../files/store-files.ts';

/** How often the path is checked. For this long, reads may still come from a file that was just replaced. */
const CHECK_INTERVAL_MS = 10;

/** For this long after other content was written into the file, more may be on its way. */
const WRITING_NS = 200_000_000n;

/** The time of a write changes before the content does: it may be a checkpoint. Read again in some milliseconds. */
export function isPerhapsTransient(error: unknown): boolean {
  return error instanceof BeingWritten || error instanceof ForeignContent;
}

interface Openable {
  close(): void;
  /** Whether the whole content is consistent. */
  isIntact(): boolean;
}

/**
 * A store's file, which may be moved, made unreadable, truncated, overwritten or replaced while it is served. SQLite would
 * continue to read the file that it opened. So the path is checked repeatedly, and the file is opened again when it has changed,
 * and after an error: the service needs no restart once the file is back.
 */
export class ReopenedFile<Opened extends Openable> {
  readonly #path: string;
  readonly #openReads: () => Opened;
  #opened: OpenedFile<Opened> | undefined;
  /** At the last check. */
  #state: FileState;
  #verified: Verified;
  #checkedAt = 0;
  #closed = false;

  /** Opens the file. Throws as `open` does. */
  constructor(path: string, open: () => Opened) {
    this.#path = path;
    this.#openReads = open;
    const reads = open();
    this.#state = stateOf(path);
    this.#opened = { reads, files: new StoreFiles(path) };
    this.#verified = this.#opened.files.verify(null);
  }

  /** The current file, opened. Throws as `open` does, and `Refused` when there is no readable file or it isn't whole. */
  current(): Opened {
    if (this.#closed) throw new Error('the store is closed');
    if (this.#opened && performance.now() - this.#checkedAt < CHECK_INTERVAL_MS) return this.#opened.reads;
    return this.#checked().reads;
  }

  /**
   * Whether what was read since `current` is of one content. If not, it has to be read again. Throws `Refused` when the file
   * isn't whole.
   */
  wasUnchanged(): boolean {
    if (!this.#opened || this.#opened.files.areUnchanged(this.#verified)) return true;
    const { main } = this.#verified;
    this.#checked();
    return this.#verified.main === main || this.#verified.index !== null; // a checkpoint, which SQLite's snapshots allow for
  }

  /** Closes the file after an error. The next call of `current` opens it again. */
  discard(): void {
    this.#opened?.reads.close();
    this.#opened?.files.close();
    this.#opened = undefined;
  }

  close(): void {
    this.#closed = true;
    this.discard();
  }

  #checked(): OpenedFile<Opened> {
    try {
      const state = stateOf(this.#path);
      if (state.identity !== this.#state.identity || isSevered(state, this.#state)) this.discard();
      const before = verifiedBefore(state, this.#state, this.#verified);
      const verified = this.#opened?.files.verify(before);
      const isOverwritten = verified?.index === null && this.#isOverwritten(state, verified);
      if (isOverwritten) refuseBeingWritten(state);
      // SQLite may have cached pages of the previous content.
      if (verified?.main !== this.#verified.main) this.discard();
      const opened = this.#opened ?? this.#open(state);
      this.#opened = opened;
      const next = opened.files.verify(verified ?? (before && { ...before, reopened: true }));
      if (isOverwritten || (next.index === null && this.#isOverwritten(state, next))) {
        refuseBeingWritten(state);
        refuseBroken(opened.reads);
      }
      this.#verified = next;
      this.#state = verified ? state : stateOf(this.#path); // SQLite has made its other files
      this.#checkedAt = performance.now();
      return opened;
    } catch (error) {
      // SQLite would make the shared-memory file anew for the other log.
      if (error instanceof ForeignLog) this.#verified = { ...this.#verified, index: error.index };
      // The shared-memory file stays as it is, which tells of the log, as long as this connection is open.
      if (!isPerhapsTransient(error)) this.discard();
      throw error;
    }
  }

  /**
   * Whether other content came into the same file without a log. A checkpoint that empties or restarts the log does that after it
   * has written the file.
   */
  #isOverwritten({ identity, log, changedAtNs }: FileState, { main }: Verified): boolean {
    const isChanged = identity === this.#state.identity && main !== this.#verified.main;
    return isChanged && (log === null || log.writtenAtNs < changedAtNs);
  }

  #open({ identity }: FileState): OpenedFile<Opened> {
    const reads = this.#openReads();
    try {
      const opened = { reads, files: new StoreFiles(this.#path) };
      if (stateOf(this.#path).identity === identity) return opened;
      opened.files.close();
      throw new Refused('the file was replaced while it was opened');
    } catch (error) {
      reads.close();
      throw error;
    }
  }
}

interface OpenedFile<Opened> {
  readonly reads: Opened;
  readonly files: StoreFiles;
}

/** More may be on its way. Throws `BeingWritten`. */
function refuseBeingWritten({ changedAtNs }: FileState): void {
  const age = BigInt(Date.now()) * 1_000_000n - changedAtNs;
  if (age >= 0n && age < WRITING_NS) throw new BeingWritten();
}

function refuseBroken(reads: Openable): void {
  if (!reads.isIntact())
    throw new Refused('the file has content of which parts are missing or of another file: restore it');
}

/** Whether the log or the shared file was deleted or replaced: what other processes commit is then not seen any more. */
function isSevered(now: FileState, before: FileState): boolean {
  const logGone = before.log !== null && now.log?.identity !== before.log.identity;
  return logGone || (before.shared !== null && now.shared !== before.shared);
}

/**
 * What the files have to agree with; `null`: anything. Throws `Refused` when the file was replaced beside the log of the previous
 * one. A log belongs to a file only if it was created after the file came to its place, which is when the file was last changed
 * or later.
 */
function verifiedBefore(now: FileState, before: FileState, verified: Verified): Verified | null {
  const isReplaced = now.identity !== before.identity;
  if (now.log === null || now.log.empty) return isReplaced ? null : verified;
  const isNewLog = now.log.identity !== before.log?.identity;
  if (isNewLog && now.log.createdAtNs > now.changedAtNs) return null;
  if (!isReplaced) return isNewLog ? { ...verified, index: null } : verified;
  throw new Refused(
    'the file was replaced, but its -wal file is still the log of the previous file: stop all processes that write to it and delete the -wal and -shm files',
  );
}
