import { readSync } from 'node:fs';

/** Of both copies of the header and the checkpoint information that follows them. */
const HEADER_BYTES = 136;
const HEADER_COPY_BYTES = 48;
const BLOCK_BYTES = 32_768;
/** Frames whose page numbers are in the first block, and in each further one. */
const FRAMES_OF_FIRST_BLOCK = 4_062;
const FRAMES_OF_BLOCK = 4_096;
/** A process may be writing the header while it is read. */
const MAX_ATTEMPTS = 100;

/** What SQLite's shared-memory file says about the write-ahead log (sqlite.org/walformat.html). */
export interface WalIndex {
  /** The random number of this round of the log: it starts anew after a checkpoint of all its frames. 16 hex digits. */
  readonly salt: string;
  /** The last committed frame; 0: readers use none. Frames count from 1. */
  readonly lastFrame: number;
  /** The checksum of the last frame and all before it, as two numbers of 32 bits. */
  readonly checksum: readonly [number, number];
  readonly pageBytes: number;
  /** The number of pages that the main file has after a complete checkpoint. */
  readonly pages: number;
  /** A checkpoint has written all frames up to this one to the main file. */
  readonly backfilled: number;
  /** A checkpoint that is under way, or was killed, may have written frames up to this one. */
  readonly attempted: number;
}

/** `null` when the file is empty or being written: SQLite then reads the log itself. */
export function readWalIndex(descriptor: number): WalIndex | null {
  const bytes = Buffer.alloc(HEADER_BYTES);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (readSync(descriptor, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES || bytes[12] === 0) return null;
    const copies = [0, HEADER_COPY_BYTES].map(start => bytes.subarray(start, start + HEADER_COPY_BYTES));
    if (copies[0]?.equals(copies[1] as Buffer)) return parse(bytes);
  }
  return null;
}

/** SQLite writes the numbers in the order of the machine's bytes, but for the salt. */
function parse(bytes: Buffer): WalIndex {
  const numbers = new Uint32Array(new Uint8Array(bytes).buffer);
  const pageSize = new Uint16Array(numbers.buffer)[7] ?? 0;
  const at = (offset: number) => numbers[offset / 4] ?? 0;
  return {
    salt: bytes.toString('hex', 32, 40),
    lastFrame: at(16),
    pages: at(20),
    checksum: [at(24), at(28)],
    pageBytes: pageSize === 1 ? 65_536 : pageSize,
    backfilled: at(96),
    attempted: at(128),
  };
}

/** The number of the page that is in each frame, from `first` to `last`. */
export function readPagesOfFrames(descriptor: number, first: number, last: number): Uint32Array {
  const pages = new Uint32Array(Math.max(0, last - first + 1));
  for (let frame = first; frame <= last; ) {
    const { position, following } = placeOf(frame);
    const length = Math.min(following, last - frame + 1);
    readSync(descriptor, pages, (frame - first) * 4, length * 4, position);
    frame += length;
  }
  return pages;
}

/** Where the page number of a frame is, and how many follow from there in the same block. */
function placeOf(frame: number): { position: number; following: number } {
  const beyond = frame - 1 - FRAMES_OF_FIRST_BLOCK;
  if (beyond < 0) return { position: HEADER_BYTES + (frame - 1) * 4, following: -beyond };
  const place = beyond % FRAMES_OF_BLOCK;
  const block = 1 + Math.floor(beyond / FRAMES_OF_BLOCK);
  return { position: block * BLOCK_BYTES + place * 4, following: FRAMES_OF_BLOCK - place };
}
