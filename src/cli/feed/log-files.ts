import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { Refused } from '../../roster/errors.ts';
import { isAt, type Place } from './position.ts';

const COMPRESSED = /\.(gz|bz2|xz|zst|lz4)$/;
/** Rotated files are named as FILE.1, FILE-20261123, NAME.1.EXTENSION or NAME-2026-11-23.EXTENSION. */
const ROTATED = /^[._-]\d/;

interface LogFile {
  readonly path: string;
  readonly stats: Stats;
}

/** The rotated files, by the last write to each, and then the file itself, as they are at one moment. */
async function logFiles(path: string): Promise<LogFile[]> {
  const { dir, base, name } = parse(path);
  for (let before = ''; ; ) {
    const names = await readdir(dir || '.');
    const isRotated = (each: string) =>
      [base, name].some(begin => each.startsWith(begin) && ROTATED.test(each.slice(begin.length)));
    /** A file that is being compressed has both names. */
    const isWhole = (each: string) => !COMPRESSED.test(each) || !names.includes(parse(each).name);
    const rotated = names.filter(each => isRotated(each) && isWhole(each)).map(each => join(dir, each));
    const files: LogFile[] = [];
    for (const each of [...rotated, path]) {
      const stats = await stat(each).catch(() => null);
      if (stats?.isFile()) files.push({ path: each, stats });
    }
    const seen = files.map(({ path, stats }) => `${path} ${stats.ino}`).join('\n');
    if (seen === before) return inOrder(files, path);
    before = seen; // a rotation may have renamed some meanwhile
  }
}

/** The file itself may be a link to the newest of the rotated ones. */
function inOrder(files: readonly LogFile[], path: string): LogFile[] {
  const own = files.filter(file => file.path === path);
  const rotated = files.filter(({ stats }) => own.every(file => file.stats.ino !== stats.ino));
  return [...rotated.toSorted(byLastWrite), ...own];
}

/** Only numbered files can be rotated so soon after each other that their times are the same. FILE.2 is older than FILE.1. */
function byLastWrite(a: LogFile, b: LogFile): number {
  return a.stats.mtimeMs - b.stats.mtimeMs || b.path.localeCompare(a.path, 'en', { numeric: true });
}

/** Opens the file that was read so far, whatever its name is now. Of several the oldest: what is read twice isn't lost. */
export async function openAt(path: string, place: Place): Promise<FileHandle | null> {
  for (const file of await logFiles(path)) {
    if (COMPRESSED.test(file.path)) continue;
    const handle = await open(file.path).catch(() => null);
    if (handle && (await isAt(handle, place))) return handle;
    await handle?.close();
  }
  return null;
}

/**
 * The file that was begun after this one. One without lines doesn't count: who writes may open it later than it is there. Where this
 * one is gone, others after it may be too.
 */
export async function nextAfter(current: Stats, path: string): Promise<Stats | 'gone' | null> {
  if ((await stat(path).catch(() => null))?.ino === current.ino) return null;
  const files = await logFiles(path);
  const index = files.findIndex(({ stats }) => stats.ino === current.ino);
  if (index < 0) return 'gone';
  const next = files.slice(index + 1).find(({ stats }) => stats.size > 0);
  if (next && COMPRESSED.test(next.path))
    throw new Refused(`feed: can't go on: the next file, ${next.path}, is compressed: decompress it`);
  return next?.stats ?? null;
}
