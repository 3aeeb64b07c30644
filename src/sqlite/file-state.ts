/** What can be told of a store's files beside SQLite, which trusts that they belong together. */
import { accessSync, type BigIntStats, constants, realpathSync, statSync } from 'node:fs';
import { Refused } from '../roster/errors.ts';

export interface FileState {
  /** Device and inode. */
  readonly identity: string;
  readonly mode: bigint;
  readonly size: bigint;
  readonly createdAtNs: bigint;
  readonly writtenAtNs: bigint;
  /** When its content, its name or its mode was last changed: unlike the time of writing, it can't be set. */
  readonly changedAtNs: bigint;
}

/** The files of a store; `null` where there is none. */
export interface StoreState {
  /** Without symbolic links: SQLite puts the other files beside it. */
  readonly path: string;
  readonly main: FileState;
  /** The write-ahead log. */
  readonly log: FileState | null;
  /** The file by which processes tell each other of commits and checkpoints. */
  readonly shared: FileState | null;
}

/** Throws `Refused` when there is no readable file. */
export function stateOf(file: string): StoreState {
  const path = realPathOf(file);
  const main = fileStateOf(path);
  if (!main) throw new Refused(`there is no file ${file}`);
  // A file that is open could still be read, but an operator who removes the read permission wants the reads to stop.
  if (!isReadable(path, main)) throw new Refused(`${file} can't be read: check its owner and its mode`);
  return { path, main, log: fileStateOf(`${path}-wal`), shared: fileStateOf(`${path}-shm`) };
}

export function fileStateOf(path: string): FileState | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) return null;
  return {
    identity: identityOf(stats),
    mode: stats.mode,
    size: stats.size,
    createdAtNs: stats.birthtimeNs,
    writtenAtNs: stats.mtimeNs,
    changedAtNs: stats.ctimeNs,
  };
}

export function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

export function hasSameContent(one: FileState | null, other: FileState | null): boolean {
  return one?.size === other?.size && one?.writtenAtNs === other?.writtenAtNs;
}

/** Whether who wrote the log had found the main file as it is. What changed it then was no later than the log's last commit. */
export function isOlderThanLog({ main, log }: StoreState): boolean {
  return log !== null && main.changedAtNs <= log.writtenAtNs;
}

function realPathOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refused(code === 'ENOENT' ? `there is no file ${file}` : message, { cause: error });
  }
}

/** The mode is checked too, as root may read a file without any read permission. */
function isReadable(path: string, { mode }: FileState): boolean {
  try {
    accessSync(path, constants.R_OK);
    return (mode & 0o444n) !== 0n;
  } catch {
    return false;
  }
}
