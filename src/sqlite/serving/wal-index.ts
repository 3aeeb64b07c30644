import { readBeside } from '../connection.ts';
import type { StoreState } from '../file-state.ts';

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
  const bytes = shared ? readBeside(`${path}-shm`, shared, 0, INDEX_BYTES) : Buffer.alloc(INDEX_BYTES);
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
  return readBeside(`${path}-wal`, log, position + 8, 8).toString('hex') === salt;
}

/** Whether a checkpoint may have written to the main file in between: it announces itself, and tells when it is done. */
export function tellsOfCheckpoint(before: WalIndex, now: WalIndex): boolean {
  const isRestarted = before.lastFrame > 0 && now.salt !== before.salt;
  return isRestarted || now.attempted !== before.attempted || now.backfilled !== before.backfilled;
}
