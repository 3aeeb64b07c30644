import type { FileHandle } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { MAX_LINE_BYTES } from '../../shared/formats/json-lines.ts';
import { openFirst, openNext, openRead, POLL_MS } from './log-files.ts';
import { isAt, type Position, placeAt } from './position.ts';

/** More than a line. */
const CHUNK_BYTES = 2 * MAX_LINE_BYTES;
const NEWLINE = 0x0a;

/**
 * Reads a log from the position on and waits for more at its end, for ever: the rest of the file of the position, and then the file
 * that took its name. It gives whole lines; the last one of a file needs no newline. Rejects when it is asked to stop, and with
 * `Refused` where lines may be missed.
 */
export async function* followedFile(
  path: string,
  position: Position,
  stop: AbortSignal,
): AsyncGenerator<Buffer> {
  const known = position.place;
  let file = known ? await openRead(path, known, position) : await openFirst(path, stop);
  let next: FileHandle | null = null;
  try {
    let place = known ?? (await placeAt(file, 0));
    await position.save(place); // a rotation may come before the first line is stored
    for (let isInLine = false; ; ) {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, place.bytes);
      stop.throwIfAborted();
      const read = buffer.subarray(0, bytesRead);
      const lines = wholeLines(read);
      const behind = await placeAt(file, place.bytes + lines.length);
      if (!(await isAt(file, place)))
        throw position.cannotGoOn(path, `${path} was truncated or written over`);
      if (lines.length > 0) {
        place = position.place = behind;
        isInLine = lines.at(-1) !== NEWLINE;
        yield lines;
      } else if (next) {
        if (isInLine || bytesRead > 0) yield Buffer.concat([read, Buffer.of(NEWLINE)]);
        await file.close();
        [file, next, isInLine] = [next, null, false];
        place = await placeAt(file, 0);
      } else {
        next = await openNext(path, file, position);
        if (!next) await setTimeout(POLL_MS, undefined, { signal: stop });
      }
    }
  } finally {
    await file.close();
    await next?.close();
  }
}

/** A line that is longer than it may be comes in parts. */
function wholeLines(read: Buffer): Buffer {
  const end = read.lastIndexOf(NEWLINE) + 1;
  return end === 0 && read.length === CHUNK_BYTES ? read : read.subarray(0, end);
}
