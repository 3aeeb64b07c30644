import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { Refused } from '../../roster/errors.ts';
import { printError } from '../terminal/print.ts';

/** How often the file is looked at: half of what a line may wait for others. */
const POLL_MS = 50;
const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
/** Each file may begin with one. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Reads a file from its beginning and waits for more at its end, for ever. A file that takes its place is read from its beginning,
 * and so is a file that was truncated. A last line without a newline ends there. Rejects when it is asked to stop.
 */
export async function* followedFile(path: string, stop: AbortSignal): AsyncGenerator<Buffer> {
  for (;;) {
    const file = await appeared(path, stop);
    let last: Buffer | undefined;
    try {
      for await (const chunk of contentOf(file, path, stop)) {
        yield chunk;
        last = chunk;
      }
    } finally {
      await file.close();
    }
    if (last && last.at(-1) !== NEWLINE) yield Buffer.of(NEWLINE);
  }
}

/** Another kind of file has no end to wait at, and to open a FIFO would wait for its writer. */
function requireFile(stats: Stats, path: string): void {
  if (!stats.isFile())
    throw new Refused(`feed: can't follow ${path}, as it is not a regular file: give it without --follow`);
}

async function appeared(path: string, stop: AbortSignal): Promise<FileHandle> {
  for (let isTold = false; ; isTold = true) {
    try {
      requireFile(await stat(path), path);
      return await open(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (!isTold) printError(`keyroster: feed: there is no file ${path} yet: waiting for it`);
      await setTimeout(POLL_MS, undefined, { signal: stop });
    }
  }
}

/** All of one file. It ends when the file is truncated, or when another is in its place and this one has no more. */
async function* contentOf(file: FileHandle, path: string, stop: AbortSignal): AsyncGenerator<Buffer> {
  let isReplaced = false;
  for (let position = 0; ; ) {
    stop.throwIfAborted();
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    position += bytesRead;
    const begin =
      position === bytesRead && buffer.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0;
    if (bytesRead > 0) yield buffer.subarray(begin, bytesRead);
    else if (isReplaced) return;
    else {
      const ours = await file.stat();
      if (ours.size < position) return;
      const named = await stat(path).catch(() => ours); // it was renamed, and the next isn't there yet
      isReplaced = named.ino !== ours.ino || named.dev !== ours.dev;
      if (!isReplaced) await setTimeout(POLL_MS, undefined, { signal: stop });
    }
  }
}
