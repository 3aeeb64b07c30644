import { accessSync, constants, statSync } from 'node:fs';
import { Refused } from '../../roster/errors.ts';

/** How often the file is checked. For this long, reads may still come from a file that was just replaced. */
const CHECK_INTERVAL_MS = 10;

interface FileState {
  /** Device and inode of the file at the path. */
  readonly identity: string;
  /** Changes when the file is replaced or written, also by a checkpoint of the write-ahead log. */
  readonly version: string;
  /** Device and inode of its write-ahead log; `null` when the log is empty or doesn't exist. */
  readonly log: string | null;
}

/**
 * A store's file, which may be moved, made unreadable, truncated or replaced while it is served. SQLite would continue to read
 * the file that it opened. So the path is checked repeatedly, and the file is opened again when it has changed, and after an
 * error: the service needs no restart once the file is back.
 */
export class ReopenedFile<Opened extends { close(): void }> {
  readonly #path: string;
  readonly #open: () => Opened;
  #opened: Opened | undefined;
  /** The state at the last check. */
  #state: FileState;
  #checkedAt: number;
  #closed = false;

  /** Opens the file. Throws as `open` does. */
  constructor(path: string, open: () => Opened) {
    this.#path = path;
    this.#open = open;
    this.#opened = open();
    this.#state = stateOf(path);
    this.#checkedAt = performance.now();
  }

  /** The current file, opened. Throws as `open` does, and `Refused` when there is no readable file. */
  current(): Opened {
    if (this.#closed) throw new Error('the store is closed');
    if (this.#opened && performance.now() - this.#checkedAt < CHECK_INTERVAL_MS) return this.#opened;
    const state = this.#checkedState();
    if (state.version !== this.#state.version) this.discard();
    if (!this.#opened) {
      refuseStaleLog(state, this.#state, this.#path);
      this.#opened = this.#open();
    }
    this.#state = state;
    this.#checkedAt = performance.now();
    return this.#opened;
  }

  /** Closes the file after an error. The next call of `current` opens it again. */
  discard(): void {
    this.#opened?.close();
    this.#opened = undefined;
  }

  close(): void {
    this.#closed = true;
    this.discard();
  }

  #checkedState(): FileState {
    try {
      return stateOf(this.#path);
    } catch (error) {
      this.discard();
      throw error;
    }
  }
}

function stateOf(path: string): FileState {
  const file = stat(path);
  if (!file) throw new Refused(`there is no file ${path}`);
  // A file that is open could still be read, but an operator who removes the read permission wants the reads to stop.
  if (!isReadable(path, file.mode)) throw new Refused(`${path} can't be read: check its owner and its mode`);
  const log = stat(`${path}-wal`);
  const identity = `${file.dev}:${file.ino}`;
  return {
    identity,
    version: `${identity}:${file.size}:${file.mtimeNs}`,
    log: log && log.size > 0n ? `${log.dev}:${log.ino}` : null,
  };
}

function stat(path: string) {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** The mode is checked too, as root may read a file without any read permission. */
function isReadable(path: string, mode: bigint): boolean {
  try {
    accessSync(path, constants.R_OK);
    return (mode & 0o444n) !== 0n;
  } catch {
    return false;
  }
}

/** SQLite would apply the log of the previous file to the new one. */
function refuseStaleLog(now: FileState, before: FileState, path: string): void {
  if (now.identity !== before.identity && now.log !== null && now.log === before.log) {
    throw new Refused(
      `${path} was replaced, but ${path}-wal is still the log of the previous file: stop all processes that write to it and delete the -wal and -shm files`,
    );
  }
}
