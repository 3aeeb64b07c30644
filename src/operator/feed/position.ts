import { createHash } from 'node:crypto';
import { readFileSync, type Stats } from 'node:fs';
import { type FileHandle, rename, writeFile } from 'node:fs/promises';
import { cannotRead } from '../../shared/command/input/text-of-file.ts';
import { Refused } from '../../shared/record/faults.ts';

/** How far a file is read. */
export interface Place {
  readonly file: string;
  readonly bytes: number;
  /** Of the last of these bytes: a file that is written over keeps its inode. */
  readonly sha256: string;
}

/** Enough of a line that no other file has the same there. */
const MAX_KNOWN_BYTES = 1024;

/** The inode of a file that was removed is given to another one, which has another birth. */
export const fileIdOf = ({ ino, birthtimeMs }: Stats) => `${ino}-${birthtimeMs}`;

export async function placeAt(handle: FileHandle, bytes: number): Promise<Place> {
  const known = Math.min(bytes, MAX_KNOWN_BYTES);
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(known), 0, known, bytes - known);
  const sha256 = createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex');
  return { file: fileIdOf(await handle.stat()), bytes, sha256 };
}

/** Whether this is the file of the place, with what was read of it last. */
export async function isAt(handle: FileHandle, { file, bytes, sha256 }: Place): Promise<boolean> {
  const now = await placeAt(handle, bytes);
  return now.file === file && now.sha256 === sha256;
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

  cannotGoOn(path: string, why: string): Refused {
    return new Refused(
      `feed: can't go on: ${why}, so lines may be missed. Feed that file and those after it by hand without --follow, oldest first, ` +
        `and remove ${this.file}: the next start begins with the first line of ${path}`,
    );
  }
}

function readPlace(file: string): Place | null {
  try {
    const { file: read, bytes, sha256 } = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof read === 'string' && Number.isSafeInteger(bytes) && bytes >= 0)
      return { file: read, bytes, sha256 };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code) throw new Refused(`feed: --position: ${cannotRead(file, error)}`, { cause: error });
  }
  throw new Refused(
    `feed: --position: ${file} doesn't say how far a feed has read: name another file, or remove it to begin anew`,
  );
}
