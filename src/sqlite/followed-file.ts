import { accessSync, constants, statSync } from 'node:fs';
import { Refused } from '../roster/errors.ts';

/** How often the file is looked at. So long may a page still come from a file that was just replaced. */
const LOOK_EVERY_MS = 10;

interface Look {
  /** Which file lies there. */
  readonly file: string;
  /** Which file it is and when it was last written; a checkpoint of the write-ahead log changes it too. */
  readonly content: string;
  /** The write-ahead log beside it, if it holds anything. */
  readonly log: string | null;
}

/**
 * A store's file that is served while anything may happen to it: moved away, made unreadable, truncated, replaced. SQLite
 * keeps the file that it opened and would go on with that, so the path is looked at again and again; when something else
 * lies there it is opened anew. After a fault too, so the service needs no restart once the file is back.
 */
export class FollowedFile<Opened extends { close(): void }> {
  readonly #path: string;
  readonly #open: () => Opened;
  #opened: Opened | undefined;
  /** As the file that is open was seen last. */
  #seen: Look;
  #lookedAt: number;
  #closed = false;

  /** Opens the file. Throws as `open` does. */
  constructor(path: string, open: () => Opened) {
    this.#path = path;
    this.#open = open;
    this.#opened = open();
    this.#seen = look(path);
    this.#lookedAt = performance.now();
  }

  /** What is open of the file that lies there now. Throws as `open` does, and `Refused` when there is none to open. */
  current(): Opened {
    if (this.#closed) throw new Error('the store is closed');
    if (this.#opened && performance.now() - this.#lookedAt < LOOK_EVERY_MS) return this.#opened;
    const seen = lookOr(this.#path, () => this.forget());
    if (seen.content !== this.#seen.content) this.forget();
    if (!this.#opened) {
      requireOwnLog(seen, this.#seen, this.#path);
      this.#opened = this.#open();
    }
    this.#seen = seen;
    this.#lookedAt = performance.now();
    return this.#opened;
  }

  /** Closes it after a fault; it is opened anew when it is asked for. */
  forget(): void {
    this.#opened?.close();
    this.#opened = undefined;
  }

  close(): void {
    this.#closed = true;
    this.forget();
  }
}

function lookOr(path: string, otherwise: () => void): Look {
  try {
    return look(path);
  } catch (error) {
    otherwise();
    throw error;
  }
}

function look(path: string): Look {
  const file = stat(path);
  if (!file) throw new Refused(`there is no file ${path}`);
  // An open file could still be read. Who takes the right to read away means that it shouldn't be.
  if (!isReadable(path, file.mode))
    throw new Refused(`${path} may not be read: check who owns it and its mode`);
  const log = stat(`${path}-wal`);
  const id = `${file.dev}:${file.ino}`;
  return {
    file: id,
    content: `${id}:${file.size}:${file.mtimeNs}`,
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
function requireOwnLog(now: Look, before: Look, path: string): void {
  if (now.file !== before.file && now.log !== null && now.log === before.log) {
    throw new Refused(
      `${path} was replaced, but ${path}-wal is still that of the file before: stop what writes to it and delete the -wal and -shm files`,
    );
  }
}
