import { accessSync, type BigIntStats, constants, realpathSync, statSync } from 'node:fs';
import { Refused } from '../../../shared/record/faults.ts';

/** What can be told of a store's files by their path. */
export interface FileState {
  /** Device and inode of the file at the path. */
  readonly identity: string;
  /** When its content, its name or its mode was last changed. */
  readonly changedAtNs: bigint;
  /** Its write-ahead log; `null` when there is none. */
  readonly log: {
    readonly identity: string;
    readonly createdAtNs: bigint;
    readonly writtenAtNs: bigint;
    readonly empty: boolean;
  } | null;
  /** Device and inode of the file by which processes tell each other of commits; `null` when there is none. */
  readonly shared: string | null;
}

/** Throws `Refused` when there is no readable file. */
export function stateOf(path: string): FileState {
  const realPath = realPathOf(path);
  const file = stat(realPath);
  if (!file) throw new Refused(`there is no file ${path}`);
  if (!file.isFile()) throw new Refused(`${path} is not a regular file`);
  // A file that is open could still be read, but an operator who removes the read permission wants the reads to stop.
  if (!isReadable(path, file.mode)) throw new Refused(`${path} can't be read: check its owner and its mode`);
  const log = stat(`${realPath}-wal`);
  const shared = stat(`${realPath}-shm`);
  return {
    identity: identityOf(file),
    changedAtNs: file.ctimeNs,
    log: log ? logStateOf(log) : null,
    shared: shared ? identityOf(shared) : null,
  };
}

function logStateOf(log: BigIntStats) {
  return {
    identity: identityOf(log),
    createdAtNs: log.birthtimeNs,
    writtenAtNs: log.mtimeNs,
    empty: log.size === 0n,
  };
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

/** The path without symbolic links: SQLite puts its other files beside it. Throws `Refused`. */
export function realPathOf(path: string): string {
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
