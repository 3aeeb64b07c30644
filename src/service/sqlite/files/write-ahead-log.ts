import { readSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** The file of the write-ahead log (sqlite.org/fileformat2.html#walformat). Frames count from 1. */
export class WriteAheadLog {
  readonly #descriptor: number;
  readonly #pageBytes: number;

  constructor(descriptor: number, pageBytes: number) {
    this.#descriptor = descriptor;
    this.#pageBytes = pageBytes;
  }

  /** The salt of the file's header. */
  salt(): string {
    return read(this.#descriptor, 0, HEADER_BYTES).toString('hex', 16, 24);
  }

  /** Of this frame and all before it, as two numbers of 32 bits. */
  checksum(frame: number): readonly [number, number] {
    const header = read(this.#descriptor, this.#positionOf(frame), FRAME_HEADER_BYTES);
    return [header.readUInt32BE(16), header.readUInt32BE(20)];
  }

  image(frame: number): Buffer {
    return read(this.#descriptor, this.#positionOf(frame) + FRAME_HEADER_BYTES, this.#pageBytes);
  }

  #positionOf(frame: number): number {
    return HEADER_BYTES + (frame - 1) * (FRAME_HEADER_BYTES + this.#pageBytes);
  }
}

/** What is beyond the end of the file is read as zeros. */
export function read(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(descriptor, bytes, 0, length, position);
  return bytes;
}
