import { writeSync } from 'node:fs';

/** Writes all of the text, or throws: where the disk has no room for more, `writeSync` writes what fits and says so only by a number. */
export function writeAll(descriptor: number, text: string, position: number | null = null): number {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    const at = position === null ? null : position + written;
    written += writeSync(descriptor, bytes, written, bytes.length - written, at);
  }
  return bytes.length;
}
