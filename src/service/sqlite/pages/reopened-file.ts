import { accessSync, type BigIntStats, constants, realpathSync, statSync } from 'node:fs';
import { Refused } from '../../../shared/record/faults.ts';

/** How often the path is checked. For this long, reads may still come from a file that was just replaced. */
const CHECK_INTERVAL_MS = 10;

/**
 * A store's file, which may be moved, made unreadable, emptied or replaced while it is served. SQLite would continue to read the
 * file that it opened. So the path is checked repeatedly, and the file is opened again when it has changed, and after an error: the
 * service needs no restart once the file is back. What is open stays so while a check fails: no other file gets its inodes then.
 * Node's watchers aren't there on every file system, and tell later.
 */
export class ReopenedFile<Opened extends { close(): void }> {
  readonly #path: string;
  readonly #openReads: () => Opened;
  #opened: Opened | undefined;
  /** Those that are open, or were at last. */
  #files: Files;
  #checkedAt = 0;
  #closed = false;

  /** Opens the file. Throws as `open` does. */
  constructor(path: string, open: () => Opened) {
    this.#path = path;
    this.#openReads = open;
    this.#opened = open();
    this.#files = filesAt(path);
  }

  /** The current file, opened. Throws as `open` does, and `Refused` when there is no readable file with a log of its own. */
  current(): Opened {
    if (this.#closed) throw new Error('the store is closed');
    if (this.#opened && performance.now() - this.#checkedAt < CHECK_INTERVAL_MS) return this.#opened;
    const files = filesAt(this.#path);
    if (!isSame(files.main, this.#files.main)) requireNoLogOf(this.#files, files);
    else if (this.#opened) requireNoneDeleted(this.#files, files);
    const isUnchanged = NAMES.every(name => isSame(files[name], this.#files[name]));
    if (!isUnchanged || files.main.size === 0n) this.discard();
    this.#opened ??= this.#open(files);
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

  #open({ main }: Files): Opened {
    const opened = this.#openReads();
    try {
      const files = filesAt(this.#path); // SQLite has made the other two
      if (!isSame(files.main, main)) throw new Refused('the file was replaced while it was opened');
      this.#files = files;
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  }
}

const NAMES = ['main', 'log', 'shared'] as const;

/**
 * The file, its write-ahead log and the memory that processes share, by `stat` alone: a process that closes any descriptor of a file
 * loses all its locks on it, SQLite's included (POSIX, fcntl).
 */
type Files = { readonly main: BigIntStats } & {
  readonly [Name in (typeof NAMES)[number]]: BigIntStats | undefined;
};

/** Throws `Refused` when there is no readable file. */
function filesAt(path: string): Files {
  try {
    const real = realpathSync.native(path); // SQLite puts its other files beside what a link leads to
    const main = statSync(real, { bigint: true });
    // A file that is open could still be read, but an operator who removes the read permission wants the reads to stop. Root may
    // read any file, so the mode is checked too.
    accessSync(real, constants.R_OK);
    if ((main.mode & 0o444n) === 0n) throw new Error('nobody may read it');
    const statOf = (suffix: string) => statSync(real + suffix, { bigint: true, throwIfNoEntry: false });
    return { main, log: statOf('-wal'), shared: statOf('-shm') };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem =
      code === 'ENOENT'
        ? `there is no file ${path}: put it back`
        : `${path} can't be read: check its owner and its mode (${message})`;
    throw new Refused(problem, { cause: error });
  }
}

function isSame(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return one?.dev === other?.dev && one?.ino === other?.ino;
}

/** SQLite would apply the log of the previous file to the one that has come to its place. */
function requireNoLogOf(previous: Files, { log }: Files): void {
  if (log && log.size > 0n && isSame(log, previous.log))
    throw new Refused(
      'the file was replaced beside the -wal file of the previous one: stop all processes that use it, and delete the -wal and -shm files',
    );
}

/** SQLite deletes them only when nobody has the file open. What another process commits without them isn't seen. */
function requireNoneDeleted(before: Files, { log, shared }: Files): void {
  if ((before.log && !log) || (before.shared && !shared))
    throw new Refused(
      'its -wal or -shm file was deleted while it is in use: put that back, or stop all processes that use it and start them again',
    );
}
