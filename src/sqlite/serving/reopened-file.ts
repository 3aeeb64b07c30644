import { Refused } from '../../roster/errors.ts';
import {
  type FileState,
  fileStateOf,
  hasLastFrame,
  hasSameContent,
  isAsWritten,
  isOlderThanLog,
  type StoreState,
  stateOf,
  tellsOfCheckpoint,
  type WalIndex,
  walIndexOf,
} from '../file-state.ts';
import { ForeignContent, hasHistoryOfLog, isIntact, MEND } from '../store-file.ts';

/** How often the path is checked. For this long, reads may still come from a file that was just replaced. */
const CHECK_INTERVAL_MS = 10;
/** For this long after other content was written into the file, more may be on its way. */
const WRITING_NS = 200_000_000n;
/** A process may restart the log, or begin a checkpoint, while the files are looked at. */
const MAX_LOOKS = 10;

/** What was found when the files were last looked at. */
interface Seen extends StoreState {
  readonly index: WalIndex;
  /** Whether the log has what readers use of it. */
  readonly isLogWhole: boolean;
}

/**
 * A store's file, which may be moved, truncated, overwritten or replaced while it is served. SQLite would
 * continue to read the file that it opened, or apply a log to a file that it isn't the log of. So the files are looked at
 * repeatedly. The service needs no restart once they fit again.
 */
export class ReopenedFile<Opened extends { close(): void }> {
  readonly #path: string;
  readonly #open: () => Opened;
  #opened: Opened | undefined;
  #seen: Seen;
  #lookedAt = 0;
  #hasFailed = false;
  #closed = false;

  /** Opens the file. Throws as `open` does. */
  constructor(path: string, open: () => Opened) {
    this.#path = path;
    this.#open = open;
    const { opened, seen } = this.#openAs(fileStateOf(path));
    this.#opened = opened;
    this.#seen = seen;
  }

  /** The current file, opened. Throws as `open` does, and `Refused` when there is no file or it isn't whole. */
  current(): Opened {
    if (this.#closed) throw new Error('the store is closed');
    const isFresh = performance.now() - this.#lookedAt < CHECK_INTERVAL_MS;
    return this.#opened && isFresh && !this.#hasFailed ? this.#opened : this.#look();
  }

  /** Throws `Refused` when what was read since `current` may be of other content: it may have to be read again. */
  requireUnchanged(): void {
    const { path, main, log } = this.#seen;
    const isAsSeen = isAsWritten(path, main) && isAsWritten(`${path}-wal`, log);
    const before = this.#opened;
    if (!isAsSeen && this.#look() !== before) throw new BeingWritten();
  }

  /** Opens the file again at the next call of `current`, as a read of it failed. */
  noteFailure(): void {
    this.#hasFailed = true;
  }

  close(): void {
    this.#closed = true;
    this.#opened?.close();
    this.#opened = undefined;
  }

  #look(): Opened {
    const before = this.#seen;
    const now = look(this.#path, this.#opened ? before : null);
    if (!this.#opened || isSevered(now, before)) return this.#reopenOther(now, before);
    if (!now.isLogWhole) {
      throw new Refused(`the -wal file isn't the one that was written for this file: ${MEND}`);
    }
    const isKnown = hasSameContent(now.main, before.main) || this.#isByCheckpoint(now, before);
    if (!isKnown && before.index.lastFrame > 0) throw new ForeignContent();
    if (!isKnown) return this.#reopenOther(now, before);
    if (this.#hasFailed) return this.#reopen(now, before);
    this.#seen = now;
    this.#lookedAt = performance.now();
    return this.#opened;
  }

  /** One that was under way before, or was killed, tells nothing new. */
  #isByCheckpoint({ index }: Seen, before: Seen): boolean {
    if (tellsOfCheckpoint(before.index, index)) return true;
    return before.index.lastFrame > 0 && index.backfilled < index.attempted && hasHistoryOfLog(this.#path);
  }

  /**
   * For other files or other content. SQLite has parts of the previous one in its cache, and as long as a connection is open it
   * has its size in the shared file.
   */
  #reopenOther(now: Seen, before: Seen): Opened {
    if (now.main.identity !== before.main.identity && hasLogOf(now, before)) {
      throw new Refused(
        'the file was replaced, but its -wal file is still the log of the previous file: stop all processes that write to it and delete the -wal and -shm files',
      );
    }
    this.#opened?.close();
    this.#opened = undefined;
    return this.#reopen(now, before);
  }

  /** After a failed read, the new connection before the old is closed: with the last one SQLite forgets its checkpoints. */
  #reopen(now: Seen, before: Seen): Opened {
    if (isOverwritten(now, before)) {
      if (isYoung(now)) throw new BeingWritten();
      if (!isIntact(this.#path)) {
        throw new Refused('the file is damaged, or has parts of another file: restore it');
      }
    }
    const { opened, seen } = this.#openAs(now.main);
    this.#opened?.close();
    this.#opened = opened;
    this.#seen = seen;
    this.#lookedAt = performance.now();
    this.#hasFailed = false;
    return opened;
  }

  /** Opens what was found there. */
  #openAs(found: FileState | null): { readonly opened: Opened; readonly seen: Seen } {
    const opened = this.#open();
    try {
      const seen = look(this.#path, null);
      const isSame = seen.index.lastFrame > 0 || hasSameContent(seen.main, found); // or it may be a checkpoint
      if (seen.main.identity !== found?.identity || !isSame) throw new BeingWritten();
      return { opened, seen };
    } catch (error) {
      opened.close();
      throw error;
    }
  }
}

/** Other content is being written into the file: look at it again in some milliseconds. */
class BeingWritten extends Refused {
  constructor() {
    super('other content is being written into the file', { mayPass: true });
  }
}

/** A checkpoint announces itself before it writes, and tells when it is done: so its numbers are read before and after. */
function look(path: string, before: StoreState | null): Seen {
  let index = walIndexOf(before ?? stateOf(path));
  for (let attempt = 1; ; attempt++) {
    const state = stateOf(path);
    const isLogWhole = hasLastFrame(state, index);
    const after = walIndexOf(state);
    if (attempt === MAX_LOOKS || JSON.stringify(after) === JSON.stringify(index)) {
      return { ...state, index, isLogWhole };
    }
    index = after;
  }
}

/** Whether the file, its log or the shared file was deleted or replaced. */
function isSevered(now: StoreState, before: StoreState): boolean {
  return (['main', 'log', 'shared'] as const).some(each => now[each]?.identity !== before[each]?.identity);
}

/** Whether the log has something, and is the one that there was before. */
function hasLogOf(now: StoreState, before: StoreState): boolean {
  if (!now.log || now.log.size === 0n) return false;
  return now.log.identity === before.log?.identity && now.log.createdAtNs === before.log.createdAtNs;
}

/** Whether other content came into the same file without a log. A checkpoint that empties the log does that at its end. */
function isOverwritten(now: StoreState, before: StoreState): boolean {
  const isSameFile = now.main.identity === before.main.identity;
  return isSameFile && !hasSameContent(now.main, before.main) && !isOlderThanLog(now);
}

function isYoung({ main }: StoreState): boolean {
  const age = BigInt(Date.now()) * 1_000_000n - main.changedAtNs;
  return age >= 0n && age < WRITING_NS;
}
