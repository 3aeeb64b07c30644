import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { Refused } from '../../../shared/record/faults.ts';
import { fileIdOf, isAt, type Place } from './position.ts';

/** What a rotation adds to a name: a number (.1) or a date (-20261123, -2026-11-23-14), and the ending of a compressed file. */
const ROTATED = /^(?:\.(?<number>\d{1,4})|[._-](?<date>\d{4}-?\d\d-?\d\d[\d_T:-]*|\d{9,}))(?<ending>\.\w+)?$/;

interface LogFile {
  readonly path: string;
  readonly stats: Stats;
  /** Later files have a larger one. */
  readonly order: number;
  readonly isCompressed: boolean;
}

/** The file and the rotated ones beside it, oldest first, as they are at one moment. */
async function logFiles(path: string): Promise<LogFile[]> {
  const { dir } = parse(path);
  for (let before = ''; ; ) {
    const rotated = (await readdir(dir || '.')).flatMap(name => rotatedFile(path, name));
    const files: LogFile[] = [];
    for (const file of [...rotated, { path, order: Number.POSITIVE_INFINITY, isCompressed: false }]) {
      const stats = await stat(file.path).catch(() => null);
      if (stats?.isFile()) files.push({ ...file, stats });
    }
    const seen = files.map(({ path, stats }) => `${path} ${fileIdOf(stats)}`).join('\n');
    if (seen === before) return inOrder(files);
    before = seen; // a rotation may have renamed some meanwhile
  }
}

/** Rotated files are FILE.1 or FILE-20261123, or have the same before the extension of FILE. */
function rotatedFile(path: string, name: string) {
  const { dir, base, name: stem, ext } = parse(path);
  const added = name.startsWith(base)
    ? name.slice(base.length)
    : name.startsWith(stem) && name.slice(stem.length).replace(ext, '');
  const { number, date, ending } = (added && ROTATED.exec(added)?.groups) || {};
  if (number === undefined && date === undefined) return [];
  // FILE.2 is older than FILE.1, and FILE-20261122 than FILE-20261123.
  const order = date === undefined ? -Number(number) : Number(date.replaceAll(/\D/g, ''));
  return [{ path: join(dir, name), order, isCompressed: ending !== undefined }];
}

function inOrder(files: readonly LogFile[]): LogFile[] {
  const plain = files.filter(file => !file.isCompressed);
  // One that is being compressed has both names, and the file itself may be a link to the newest of the rotated ones.
  const others = files.filter(file => file.isCompressed && plain.every(({ order }) => order !== file.order));
  const inodes = new Map(plain.map(file => [fileIdOf(file.stats), file]));
  return [...inodes.values(), ...others].toSorted((a, b) => a.order - b.order);
}

/** Opens the file that was read so far, whatever its name is now. Of several the oldest: what is read twice isn't lost. */
export async function openAt(path: string, place: Place): Promise<FileHandle | null> {
  for (const file of await logFiles(path)) {
    if (file.isCompressed) continue;
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
  const files = await logFiles(path);
  const index = files.findIndex(({ stats }) => fileIdOf(stats) === fileIdOf(current));
  if (index < 0) return 'gone';
  const next = files.slice(index + 1).find(({ stats }) => stats.size > 0);
  if (next?.isCompressed)
    throw new Refused(`feed: can't go on: the next file, ${next.path}, is compressed: decompress it`);
  return next?.stats ?? null;
}
