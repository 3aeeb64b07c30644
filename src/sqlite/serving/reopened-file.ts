import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { Refused } from '../../roster/errors.ts';

/** How often the file is checked. For this long, reads may still come from a file that was just replaced. */
const CHECK_INTERVAL_MS = 10;

interface FileState {
  /** Device and inode of the file at the path. */
  readonly identity: string;
  /** Changes when the file is replaced or written, also by a checkpoint of the write-ahead log. */
  readonly version: string;
  readonly changedAtNs: bigint;
  /** Its write-ahead log; `null` when there is none. */
  readonly log: { readonly identity: string; readonly createdAtNs: bigint; readonly empty: boolean } | null;
  /** Device and inode of the file by which processes tell each other of commits; `null` when there is none. */
  readonly shared: string | null;
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
    if (state.version !== this.#state.version || isSevered(state, this.#state)) this.discard();
    if (!this.#opened) {
      refuseStaleLog(state, this.#state);
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
  const realPath = realPathOf(path); // SQLite puts its other files beside this one
  const file = stat(realPath);
  if (!file) throw new Refused(`there is no file ${path}`);
  // A file that is open could still be read, but an operator who removes the read permission wants the reads to stop.
  if (!isReadable(path, file.mode)) throw new Refused(`${path} can't be read: check its owner and its mode`);
  const log = stat(`${realPath}-wal`);
  const shared = stat(`${realPath}-shm`);
  return {
    identity: identityOf(file),
    version: `${identityOf(file)}:${file.size}:${file.mtimeNs}`,
    changedAtNs: file.ctimeNs,
    log: log ? { identity: identityOf(log), createdAtNs: log.birthtimeNs, empty: log.size === 0n } : null,
    shared: shared ? identityOf(shared) : null,
  };
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refused(code === 'ENOENT' ? `there is no file ${path}` : message, { cause: error });
  }
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

/** Whether the log or the shared file was deleted or replaced: what other processes commit is then not seen any more. */
function isSevered(now: FileState, before: FileState): boolean {
  const logGone = before.log !== null && now.log?.identity !== before.log.identity;
  return logGone || (before.shared !== null && now.shared !== before.shared);
}

/**
 * SQLite would apply the log of the previous file to the new one. A log belongs to the new file only if it was created after the
 * file came to its place, which is when the file was last changed or later.
 */
function refuseStaleLog(now: FileState, before: FileState): void {
  if (now.identity === before.identity || now.log === null || now.log.empty) return;
  const ofPrevious = now.log.identity === before.log?.identity || now.log.createdAtNs <= now.changedAtNs;
  if (ofPrevious)
    throw new Refused(
      'the file was replaced, but its -wal file is still the log of the previous file: stop all processes that write to it and delete the -wal and -shm files',
    );
}
