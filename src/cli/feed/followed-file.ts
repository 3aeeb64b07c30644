import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { Refused } from '../../roster/errors.ts';
import { printError } from '../terminal/print.ts';
import { CHUNK_BYTES, closeFiles, contentOf, filesSince, isCompressed, type LogFile } from './log-files.ts';
import type { Place, Position } from './position.ts';
import { Reading } from './reading.ts';

/** How often the file is looked at: half of what a line may wait for others. */
const POLL_MS = 50;
/** Each file may begin with one. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Reads a log from the position on and waits for more at its end, for ever: the rest of the file of the position, the files that came
 * after it, and the file itself. A last line without a newline ends with its file. Rejects when it is asked to stop.
 */
export async function* followedFile(
  path: string,
  position: Position,
  stop: AbortSignal,
): AsyncGenerator<Buffer> {
  let place = position.place ?? (await firstPlace(path, stop));
  if (!position.place) await position.save(place); // a rotation may come before the first line is stored
  for (;;) {
    const since = await filesSince(path, place);
    if (!since) throw isMissing(place, path, position);
    let { reading } = since;
    try {
      let isIntact = true;
      for (const file of since.files) {
        if (file !== since.files[0]) {
          if (reading.isInLine) {
            position.place = reading.place;
            yield Buffer.from('\n');
          }
          reading = new Reading(file.stats.ino);
        }
        isIntact = yield* rest(file, reading, position, stop);
        if (!isIntact) break;
      }
      const last = since.files.at(-1) as LogFile;
      for (let isReplaced = false; isIntact && !isReplaced; ) {
        await setTimeout(POLL_MS, undefined, { signal: stop });
        isReplaced = await hasNext(path, last);
        if (!isCompressed(last)) isIntact = yield* rest(last, reading, position, stop);
      }
    } finally {
      await closeFiles(since.files);
    }
    place = reading.place;
  }
}

/** What isn't read yet. Returns whether what was read is still there: if not, the file was truncated. */
async function* rest(
  file: LogFile,
  reading: Reading,
  position: Position,
  stop: AbortSignal,
): AsyncGenerator<Buffer, boolean> {
  const content = isCompressed(file) ? contentOf(file) : piecesOf(file, reading);
  let skip = isCompressed(file) ? reading.bytes : 0;
  for await (const piece of content) {
    stop.throwIfAborted();
    if (!piece) return false;
    const chunk = piece.subarray(skip);
    skip = Math.max(skip - piece.length, 0);
    if (chunk.length === 0) continue;
    const isMarked = reading.bytes === 0 && chunk.indexOf(BYTE_ORDER_MARK) === 0;
    reading.take(chunk);
    position.place = reading.lineEnd ?? position.place;
    yield isMarked ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk;
  }
  return true;
}

/** Each is read together with the end of what was read before, so that it is known to follow on it. Else it is `null`. */
async function* piecesOf({ handle }: LogFile, reading: Reading): AsyncGenerator<Buffer | null> {
  for (;;) {
    const { tail, bytes } = reading;
    const wanted = tail.length + CHUNK_BYTES;
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(wanted),
      0,
      wanted,
      bytes - tail.length,
    );
    const read = buffer.subarray(0, bytesRead);
    if (!read.subarray(0, tail.length).equals(tail)) return yield null;
    if (read.length === tail.length) return;
    yield read.subarray(tail.length);
  }
}

/** A file is left when the next one has lines, as who writes may open that later than it is there. */
async function hasNext(path: string, file: LogFile): Promise<boolean> {
  const named = await stat(path).catch(() => null); // it was renamed, and the next isn't there yet
  if (!named) return false;
  requireFile(named, path);
  return named.size > 0 && (named.ino !== file.stats.ino || named.dev !== file.stats.dev);
}

/** Another kind of file has no end to wait at, and to open a FIFO would wait for its writer. */
function requireFile(stats: Stats, path: string): void {
  if (!stats.isFile())
    throw new Refused(`feed: can't follow ${path}, as it is not a regular file: give it without --follow`);
}

/** The beginning of the file, once it is there. */
async function firstPlace(path: string, stop: AbortSignal): Promise<Place> {
  for (let isTold = false; ; isTold = true) {
    try {
      const stats = await stat(path);
      requireFile(stats, path);
      return new Reading(stats.ino).place;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (!isTold) printError(`keyroster: feed: there is no file ${path} yet: waiting for it`);
      await setTimeout(POLL_MS, undefined, { signal: stop });
    }
  }
}

function isMissing({ bytes, at }: Place, path: string, { file }: Position): Refused {
  return new Refused(
    `feed: can't go on: neither ${path} nor a rotated file beside it begins with the ${bytes} bytes that were read until ${at}. ` +
      'It was removed, moved, truncated or changed, and lines after them may not be stored. Put it back with its time, and with ' +
      'those that came after it. Or feed what there is of them by hand without --follow, oldest first, and remove ' +
      `${file}: the next start begins with the first line of ${path}`,
  );
}
