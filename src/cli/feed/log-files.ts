import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { decompress } from '../../formats/text.ts';
import { Refused } from '../../roster/errors.ts';
import type { Place } from './position.ts';
import { Reading } from './reading.ts';

export const CHUNK_BYTES = 64 * 1024;
const COMPRESSED = /\.(gz|bz2|xz|zst|lz4)$/;

/** Open, as a rotation may rename it at any moment. */
export interface LogFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** The file of a place, and those that came after it, oldest first; `null` when the file of the place isn't there. */
export async function filesSince(
  path: string,
  place: Place,
): Promise<{ readonly files: readonly LogFile[]; readonly reading: Reading } | null> {
  const all = await openFiles(path);
  let files: readonly LogFile[] = [];
  try {
    for (const file of all.toReversed()) {
      const reading = await readTo(place, file);
      if (!reading) continue;
      files = [file, ...all.filter(each => each.stats.size > 0 && isAfter(each, file, path))];
      return { files, reading };
    }
    return null;
  } finally {
    await closeFiles(all.filter(each => !files.includes(each)));
  }
}

/** By the last write to each. Files of the same moment are read once more rather than not at all. */
function isAfter(file: LogFile, other: LogFile, path: string): boolean {
  if (file === other || other.path === path) return false;
  return file.path === path || file.stats.mtimeMs >= other.stats.mtimeMs;
}

async function readTo(place: Place, file: LogFile): Promise<Reading | null> {
  const { ino, size } = file.stats;
  if (place.bytes === 0) return place.inode === ino ? new Reading(ino) : null;
  if (!isCompressed(file) && size < place.bytes) return null;
  const reading = new Reading(ino);
  for await (const chunk of contentOf(file)) {
    reading.take(chunk.subarray(0, place.bytes - reading.bytes));
    if (reading.bytes === place.bytes) return reading.place.sha256 === place.sha256 ? reading : null;
  }
  return null;
}

export const isCompressed = ({ path }: LogFile) => COMPRESSED.test(path);

/** From its beginning, decompressed. */
export async function* contentOf({ path, handle }: LogFile): AsyncGenerator<Buffer> {
  const content = bytesOf(handle);
  if (!COMPRESSED.test(path)) return yield* content;
  try {
    if (!path.endsWith('.gz'))
      throw new Refused('a feed reads no other compressed file than .gz: decompress it');
    yield* decompress(content);
  } catch (error) {
    throw error instanceof Refused ? new Refused(`feed: ${path}: ${error.message}`, { cause: error }) : error;
  }
}

/** A stream of the handle would close it. */
async function* bytesOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      position,
    );
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** All files of the log at one moment, oldest first. */
async function openFiles(path: string): Promise<LogFile[]> {
  for (;;) {
    const names = await pathsOf(path);
    const opened = (await Promise.all(names.map(openFile))).filter(file => file !== null);
    const inodes = await Promise.all(
      opened.map(file =>
        stat(file.path).then(
          ({ ino }) => ino,
          () => null,
        ),
      ),
    );
    // Else a rotation renamed some meanwhile.
    if (
      isDeepStrictEqual(names, await pathsOf(path)) &&
      opened.every(({ stats }, index) => stats.ino === inodes[index])
    )
      return inOrder(opened, path);
    await closeFiles(opened);
  }
}

/** The rotated files, by the last write to each, and then the file itself, which may also be a link to the newest of them. */
function inOrder(files: readonly LogFile[], path: string): LogFile[] {
  const own = files.filter(file => file.path === path);
  const rotated = files.filter(({ stats }) => own.every(file => file.stats.ino !== stats.ino));
  return [...rotated.toSorted((a, b) => a.stats.mtimeMs - b.stats.mtimeMs), ...own];
}

/** Rotated files are named as FILE.1, FILE-20261123, NAME.1.EXTENSION or NAME-2026-11-23.EXTENSION, compressed or not. */
async function pathsOf(path: string): Promise<string[]> {
  const { dir, base, name } = parse(path);
  const names = await readdir(dir || '.');
  const isRotated = (each: string) =>
    [base, name].some(begin => each.startsWith(begin) && /^[._-]\d/.test(each.slice(begin.length)));
  /** A file that is being compressed has both. */
  const isWhole = (each: string) => !COMPRESSED.test(each) || !names.includes(parse(each).name);
  return [path, ...names.filter(each => isRotated(each) && isWhole(each)).map(each => join(dir, each))];
}

async function openFile(path: string): Promise<LogFile | null> {
  try {
    if (!(await stat(path)).isFile()) return null;
    const handle = await open(path);
    return { path, handle, stats: await handle.stat() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function closeFiles(files: readonly LogFile[]): Promise<void> {
  await Promise.all(files.map(({ handle }) => handle.close()));
}
