import { type FileHandle, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { printError } from '../../../shared/command/terminal/print.ts';
import { MAX_LINE_BYTES } from '../../../shared/formats/json-lines.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { nextAfter, openAt } from './log-files.ts';
import { beginningOf, fileIdOf, isAt, type Place, type Position, placeBehind } from './position.ts';

/** How often the file is looked at: half of what a line may wait for others. */
const POLL_MS = 50;
/** How often its whole folder is, while the next file isn't there. */
const MAX_POLL_MS = 1_000;
/** More than a line. */
const CHUNK_BYTES = 2 * MAX_LINE_BYTES;
const NEWLINE = 0x0a;
/** Each file may begin with one. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Reads a log from the position on and waits for more at its end, for ever: the rest of the file of the position, the files that came
 * after it, and the file itself. It gives whole lines; the last one of a file needs no newline. Rejects when it is asked to stop.
 */
export async function* followedFile(
  path: string,
  position: Position,
  stop: AbortSignal,
): AsyncGenerator<Buffer> {
  let place = position.place ?? (await firstPlace(path, stop));
  if (!position.place) await position.save(place); // a rotation may come before the first line is stored
  for (;;) {
    // A rotation may just be renaming it.
    const file = (await openAt(path, place)) ?? (await setTimeout(POLL_MS).then(() => openAt(path, place)));
    if (!file) throw isMissing(place, path, position);
    try {
      let next: Awaited<ReturnType<typeof nextAfter>> = null;
      let pause = POLL_MS;
      let isInLine = false;
      for (let isEnded = false; !isEnded; ) {
        isEnded = next !== null;
        for await (const chunk of linesFrom(file, place)) {
          stop.throwIfAborted();
          const isFirst = place.bytes === 0 && chunk.indexOf(BYTE_ORDER_MARK) === 0;
          place = placeBehind(place, chunk);
          position.place = place;
          isInLine = chunk.at(-1) !== NEWLINE;
          yield isFirst ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk;
        }
        // Where it was truncated, a copy may have the place.
        if (next === 'gone' || !(await isAt(file, place))) break;
        if (next && isEnded) {
          const rest = await restOf(file, place);
          if (rest.length > 0 || isInLine) yield Buffer.concat([rest, Buffer.of(NEWLINE)]);
          place = beginningOf(next);
        } else {
          const isNewest = await isNamed(path, file);
          next = isNewest ? null : await nextAfter(await file.stat(), path);
          pause = isNewest ? POLL_MS : Math.min(2 * pause, MAX_POLL_MS);
          if (!next) await setTimeout(pause, undefined, { signal: stop });
        }
      }
    } finally {
      await file.close();
    }
  }
}

async function isNamed(path: string, file: FileHandle): Promise<boolean> {
  const named = await stat(path).catch(() => null);
  return named !== null && fileIdOf(named) === fileIdOf(await file.stat());
}

/** The whole lines behind a place. A line that is longer than it may be comes in parts. */
async function* linesFrom(file: FileHandle, from: Place): AsyncGenerator<Buffer> {
  for (let place = from; ; ) {
    const { bytesRead, buffer } = await file.read(
      Buffer.allocUnsafe(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      place.bytes,
    );
    const end = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1;
    const chunk = buffer.subarray(0, end === 0 && bytesRead === CHUNK_BYTES ? bytesRead : end);
    if (chunk.length === 0 || !(await isAt(file, place))) return;
    yield chunk;
    place = placeBehind(place, chunk);
  }
}

/** What stands behind the last newline of a file that nobody writes to any more. */
async function restOf(file: FileHandle, { bytes }: Place): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, bytes);
  return buffer.subarray(0, bytesRead);
}

/** The beginning of the file, once it is there. */
async function firstPlace(path: string, stop: AbortSignal): Promise<Place> {
  for (let isTold = false; ; isTold = true) {
    try {
      const stats = await stat(path);
      // Another kind of file has no end to wait at, and to open a FIFO would wait for its writer.
      if (!stats.isFile())
        throw new Refused(
          `feed: can't follow ${path}, as it is not a regular file: give it without --follow`,
        );
      return beginningOf(stats);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (!isTold) printError(`keyroster: feed: there is no file ${path} yet: waiting for it`);
      await setTimeout(POLL_MS, undefined, { signal: stop });
    }
  }
}

function isMissing({ bytes }: Place, path: string, { file }: Position): Refused {
  return new Refused(
    `feed: can't go on: neither ${path} nor a rotated file beside it has what stood before byte ${bytes}, to where the feed has read. ` +
      'It was removed, moved, compressed, truncated or changed, and lines after it may not be stored. Put it back under its name, ' +
      'uncompressed, and with those that came after it. Or feed what there is of them by hand without --follow, oldest first, and ' +
      `remove ${file}: the next start begins with the first line of ${path}`,
  );
}
