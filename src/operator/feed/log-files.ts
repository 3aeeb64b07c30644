import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { printError } from '../../shared/command/terminal/print.ts';
import { Refused } from '../../shared/record/faults.ts';
import { fileIdOf, isAt, type Place, type Position } from './position.ts';

/** How often the file is looked at: half of what a line may wait for others. */
export const POLL_MS = 50;
/** What a rotation adds to a name, behind its extension or before: a number (.1) or a date (-20261123). */
const ADDED = /^(?:\.\d|[._-]\d{4})/;

/** The file and those beside it whose names begin as its own does, as they are at one moment. */
async function filesBeside(path: string) {
  const { dir, base, name: stem } = parse(path);
  for (let before = ''; ; ) {
    const files = [];
    for (const name of await readdir(dir || '.')) {
      const stats = name.startsWith(stem) ? await stat(join(dir, name)).catch(() => null) : null;
      const isRotated = ADDED.test(name.slice((name.startsWith(base) ? base : stem).length));
      if (stats?.isFile()) files.push({ path: join(dir, name), id: fileIdOf(stats), stats, isRotated });
    }
    const seen = files.map(({ path, id }) => `${path} ${id}`).join('\n');
    if (seen === before) return files;
    before = seen; // a rotation may have renamed some meanwhile
  }
}

/** The file, once it is there. */
export async function openFirst(path: string, stop: AbortSignal): Promise<FileHandle> {
  for (let isTold = false; ; isTold = true) {
    try {
      // Another kind of file has no end to wait at, and to open a FIFO would wait for its writer.
      if ((await stat(path)).isFile()) return await open(path);
      throw new Refused(`feed: can't follow ${path}, as it is not a regular file: give it without --follow`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (!isTold) printError(`keyroster: feed: there is no file ${path} yet: waiting for it`);
      await setTimeout(POLL_MS, undefined, { signal: stop });
    }
  }
}

/** The file that was read to this place, whatever its name is now. */
export async function openRead(path: string, place: Place, position: Position): Promise<FileHandle> {
  const found = (await filesBeside(path)).find(({ id }) => id === place.file);
  const file = found && (await open(found.path));
  if (file && (await isAt(file, place))) return file;
  await file?.close();
  throw position.cannotGoOn(
    path,
    'the file that was read last was removed, moved, truncated or written over',
  );
}

/**
 * The file that took the name of this one, once it has lines. A rotated one that was written to after this one may have come between;
 * one that is still being compressed doesn't count, as its time isn't set yet. Where this one is gone, others may be.
 */
export async function openNext(
  path: string,
  file: FileHandle,
  position: Position,
): Promise<FileHandle | null> {
  const current = await file.stat();
  const named = await stat(path).catch(() => null);
  const [currentId, namedId] = [fileIdOf(current), named && fileIdOf(named)];
  if (currentId === namedId) return null;
  const files = await filesBeside(path);
  if (!files.some(({ id }) => id === currentId))
    throw position.cannotGoOn(path, 'the file that was read last was removed, moved or compressed');
  const rotated = files.filter(({ isRotated }) => isRotated);
  for (const { path: other, id, stats } of rotated) {
    const isLater = stats.size > 0 && stats.mtimeMs >= current.mtimeMs && id !== currentId && id !== namedId;
    if (isLater && !rotated.some(({ path: source }) => other.startsWith(`${source}.`)))
      throw position.cannotGoOn(path, `${other} was written to after the file that was read last`);
  }
  if (!named?.size) return null;
  const next = await open(path);
  if (fileIdOf(await next.stat()) === namedId) return next;
  await next.close(); // another rotation came meanwhile
  return null;
}
