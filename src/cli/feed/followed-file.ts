import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { printError } from '../terminal/print.ts';

/** How often the file is looked at: half of what a line may wait for others. */
const POLL_MS = 50;
const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

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

async function appeared(path: string, stop: AbortSignal): Promise<FileHandle> {
  for (let isTold = false; ; isTold = true) {
    try {
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
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
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
