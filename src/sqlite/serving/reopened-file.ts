import { accessSync, constants, statSync } from 'node:fs';
import { Refused } from '../../roster/errors.ts';

/** How often the file is checked: for so long may a page still come from a file that was just replaced. */
const CHECK_INTERVAL_MS = 10;

interface FileState {
  /** Which file is at the path. */
  readonly identity: string;
  /** Which file it is and when it was last written. A checkpoint of the write-ahead log changes it too. */
  readonly version: string;
  /** Which file the write-ahead log beside it is; `null` when it is empty or isn't there. */
  readonly log: string | null;
}

/**
 * A store's file that is served while anything may happen to it: moved, made unreadable, truncated, replaced. SQLite
 * keeps the file that it opened and would go on reading that. So the path is checked again and again, and what is there is
 * opened when it isn't the same file any more. After an error too: the service needs no restart once the file is back.
 */
export class ReopenedFile<Opened extends { close(): void }> {
  readonly #path: string;
  readonly #open: () => Opened;
  #opened: Opened | undefined;
  /** As it was at the last check. */
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

  /** The file that is there now, opened. Throws as `open` does, and `Refused` when there is none to open. */
  current(): Opened {
    if (this.#closed) throw new Error('the store is closed');
    if (this.#opened && performance.now() - this.#checkedAt < CHECK_INTERVAL_MS) return this.#opened;
    const state = this.#checkedState();
    if (state.version !== this.#state.version) this.discard();
    if (!this.#opened) {
      refuseForeignLog(state, this.#state, this.#path);
      this.#opened = this.#open();
    }
    this.#state = state;
    this.#checkedAt = performance.now();
    return this.#opened;
  }

  /** Closes it after an error. The next call of `current` opens it again. */
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
  // An open file could still be read. Whoever takes the right to read away means that it shouldn't be.
  if (!isReadable(path, file.mode))
    throw new Refused(`${path} may not be read: check who owns it and its mode`);
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

/** The superuser may read a file that nobody has the right to. */
function isReadable(path: string, mode: bigint): boolean {
  try {
    accessSync(path, constants.R_OK);
    return (mode & 0o444n) !== 0n;
  } catch {
    return false;
  }
}

/** SQLite would apply the log of the file that was here before to the one that took its place. */
function refuseForeignLog(now: FileState, before: FileState, path: string): void {
  if (now.identity !== before.identity && now.log !== null && now.log === before.log) {
    throw new Refused(
      `${path} was replaced, but ${path}-wal is still the log of the previous file: stop whatever writes to it and delete the -wal and -shm files`,
    );
  }
}
