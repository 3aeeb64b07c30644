/** What can be told of a store's files beside SQLite, which trusts that they belong together. */
import { type BigIntStats, closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Refused } from '../roster/errors.ts';

export interface FileState {
  /** Device and inode. */
  readonly identity: string;
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

/** Throws `Refused` when there is no file. */
export function stateOf(file: string): StoreState {
  const path = orRefused(file, () => realpathSync.native(file));
  const main = fileStateOf(path);
  if (!main) throw new Refused(`there is no file ${file}`);
  return { path, main, log: fileStateOf(`${path}-wal`), shared: fileStateOf(`${path}-shm`) };
}

/** Throws `Refused` when that can't be told. */
export function fileStateOf(path: string): FileState | null {
  const stats = orRefused(path, () => statSync(path, { bigint: true, throwIfNoEntry: false }));
  if (!stats) return null;
  return {
    identity: identityOf(stats),
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

/** Whether nothing was written to a file since. */
export function isAsWritten(path: string, file: FileState | null): boolean {
  if (!file) return true;
  const { size, mtimeNs } = fstatSync(descriptorOf(path, file), { bigint: true });
  return size === file.size && mtimeNs === file.writtenAtNs;
}

/** Whether who wrote the log had found the main file as it is. What changed it then was no later than the log's last commit. */
export function isOlderThanLog({ main, log }: StoreState): boolean {
  return log !== null && main.changedAtNs <= log.writtenAtNs;
}

function orRefused<T>(file: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refused(code === 'ENOENT' ? `there is no file ${file}` : message, { cause: error });
  }
}

/** Of both copies of the header and of the checkpoint information that follows them. */
const INDEX_BYTES = 136;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** What SQLite's shared-memory file says about the write-ahead log (sqlite.org/walformat.html). */
export interface WalIndex {
  /** The random number of this round of the log: it starts anew after a checkpoint of all its frames. 16 hex digits. */
  readonly salt: string;
  /** The last committed frame; 0: readers use none. Frames count from 1. */
  readonly lastFrame: number;
  readonly pageBytes: number;
  /** A checkpoint has written all frames up to this one to the main file. */
  readonly backfilled: number;
  /** A checkpoint that is under way, or was killed, may have written frames up to this one. */
  readonly attempted: number;
}

/** SQLite writes the numbers in the order of the machine's bytes, but for the salt. Without the file all are 0. */
export function walIndexOf({ path, shared }: StoreState): WalIndex {
  const bytes = shared ? read(`${path}-shm`, shared, 0, INDEX_BYTES) : Buffer.alloc(INDEX_BYTES);
  const { buffer } = new Uint8Array(bytes);
  const numbers = new Uint32Array(buffer);
  const pageSize = new Uint16Array(buffer)[7] ?? 0;
  const at = (offset: number) => numbers[offset / 4] ?? 0;
  return {
    salt: bytes.toString('hex', 32, 40),
    lastFrame: at(16),
    pageBytes: pageSize === 1 ? 65_536 : pageSize,
    backfilled: at(96),
    attempted: at(128),
  };
}

/** Whether the log has the last frame of the index, of the same round. A log that was cut off or put back hasn't. */
export function hasLastFrame({ path, log }: StoreState, { lastFrame, pageBytes, salt }: WalIndex): boolean {
  if (lastFrame === 0) return true;
  if (!log) return false;
  const position = LOG_HEADER_BYTES + (lastFrame - 1) * (FRAME_HEADER_BYTES + pageBytes);
  return read(`${path}-wal`, log, position + 8, 8).toString('hex') === salt;
}

/** Whether a checkpoint may have written to the main file in between: it announces itself, and tells when it is done. */
export function tellsOfCheckpoint(before: WalIndex, now: WalIndex): boolean {
  const isRestarted = before.lastFrame > 0 && now.salt !== before.salt;
  return isRestarted || now.attempted !== before.attempted || now.backfilled !== before.backfilled;
}

/** Descriptors of files that SQLite may have open too, by the identities of the files. */
const descriptors = new Map<string, number>();
let connections = 0;

/** A connection that is counted, as each one has to be: see `descriptorOf`. */
export class CountedDatabase extends DatabaseSync {
  constructor(...parameters: ConstructorParameters<typeof DatabaseSync>) {
    super(...parameters);
    connections += 1;
  }

  override close(): void {
    super.close();
    connections -= 1;
    if (connections > 0) return;
    for (const descriptor of descriptors.values()) closeSync(descriptor);
    descriptors.clear();
  }
}

/**
 * A descriptor of a file that SQLite may have open too. A process that closes any descriptor of a file loses all its locks on that
 * file, SQLite's included (POSIX, fcntl). So it stays open until this process has no connection. Throws `Refused`.
 */
function descriptorOf(path: string, { identity }: FileState): number {
  const known = descriptors.get(identity);
  if (known !== undefined) return known;
  const descriptor = orRefused(path, () => openSync(path, 'r'));
  descriptors.set(identityOf(fstatSync(descriptor, { bigint: true })), descriptor);
  return descriptor;
}

/** What is beyond the end of the file is read as zeros. */
function read(path: string, file: FileState, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(descriptorOf(path, file), bytes, 0, length, position);
  return bytes;
}
