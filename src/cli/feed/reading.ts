import { createHash } from 'node:crypto';
import type { Place } from './position.ts';

const NEWLINE = 0x0a;
/** Enough of a line that no other file has the same there. */
const TAIL_BYTES = 1024;

/** What is read of one file. */
export class Reading {
  readonly #inode: number;
  readonly #hash = createHash('sha256');
  bytes = 0;
  /** The last of these bytes. */
  tail: Buffer = Buffer.alloc(0);
  /** Behind the last line; `null` before there is one. */
  lineEnd: Place | null = null;

  constructor(inode: number) {
    this.#inode = inode;
  }

  take(chunk: Buffer): void {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    this.#add(chunk.subarray(0, end));
    if (end > 0) this.lineEnd = this.place;
    this.#add(chunk.subarray(end));
    this.tail = Buffer.concat([this.tail, chunk]).subarray(-TAIL_BYTES);
  }

  get place(): Place {
    const sha256 = this.#hash.copy().digest('hex');
    return { inode: this.#inode, bytes: this.bytes, sha256, at: new Date().toISOString() };
  }

  /** Whether a last line has no newline. */
  get isInLine(): boolean {
    return this.bytes > 0 && this.tail.at(-1) !== NEWLINE;
  }

  #add(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.bytes += bytes.length;
  }
}
