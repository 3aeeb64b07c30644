import { createHash } from 'node:crypto';
import { readFileSync, type Stats } from 'node:fs';
import { type FileHandle, rename, writeFile } from 'node:fs/promises';
import { cannotRead } from '../../../shared/command/input/text-of-file.ts';
import { Refused } from '../../../shared/record/faults.ts';

/** How far a file is read. The file is known by what stands before, as it may be renamed or copied. */
export interface Place {
  /** Tells the file while nothing is read of it. */
  readonly file: string;
  readonly bytes: number;
  /** How many of these bytes, the last ones, are known by their SHA-256. */
  readonly known: number;
  readonly sha256: string;
}

/** Enough of a line that no other file has the same there. */
const MAX_KNOWN_BYTES = 1024;

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export function placeBehind({ file, bytes }: Place, chunk: Buffer): Place {
  const known = chunk.subarray(-MAX_KNOWN_BYTES);
  return { file, bytes: bytes + chunk.length, known: known.length, sha256: sha256(known) };
}

/** The number of a file that was removed is given to another one, which has another birth. */
export const fileIdOf = ({ ino, birthtimeMs }: Stats) => `${ino}-${birthtimeMs}`;

export const beginningOf = (stats: Stats): Place => ({
  file: fileIdOf(stats),
  bytes: 0,
  known: 0,
  sha256: '',
});

/** Whether this is the file of the place, with all that was read of it. */
export async function isAt(
  handle: FileHandle,
  { file, bytes, known, sha256: expected }: Place,
): Promise<boolean> {
  if (bytes === 0) return fileIdOf(await handle.stat()) === file;
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(known), 0, known, bytes - known);
  return bytesRead === known && sha256(buffer) === expected;
}

/** A file that keeps the place behind the last line that is stored and answered. */
export class Position {
  readonly file: string;
  /** Behind the last line that was read; `null` when nothing was ever followed. */
  place: Place | null;

  constructor(file: string) {
    this.file = file;
    this.place = readPlace(file);
  }

  async save(place: Place): Promise<void> {
    const written = `${this.file}.new`;
    try {
      await writeFile(written, `${JSON.stringify(place)}\n`, { flush: true });
      await rename(written, this.file);
    } catch (error) {
      const problem = `feed: can't keep how far it has read: ${(error as Error).message}: name a file by --position`;
      throw new Refused(problem, { cause: error });
    }
  }
}

function readPlace(file: string): Place | null {
  try {
    const { file: read, bytes, known, sha256 } = JSON.parse(readFileSync(file, 'utf8'));
    const isBeginning = bytes === 0 && known === 0;
    const isWithin = Number.isSafeInteger(bytes) && known > 0 && known <= Math.min(bytes, MAX_KNOWN_BYTES);
    if (typeof read === 'string' && (isBeginning || isWithin)) return { file: read, bytes, known, sha256 };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code) throw new Refused(`feed: --position: ${cannotRead(file, error)}`, { cause: error });
  }
  throw new Refused(
    `feed: --position: ${file} doesn't say how far a feed has read: name another file, or remove it to begin anew`,
  );
}
