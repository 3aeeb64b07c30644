import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { Refused } from '../../roster/errors.ts';
import { cannotRead } from '../input/cannot-read.ts';

/** How far a file is read. It is found again by what was read of it: under another name, as a copy, or compressed. */
export interface Place {
  /** Tells the file while nothing is read of it. */
  readonly inode: number;
  readonly bytes: number;
  /** Of these bytes. */
  readonly sha256: string;
  readonly at: string;
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
      const { message } = error as Error;
      throw new Refused(`feed: can't keep how far it has read: ${message}: name a file by --position`, {
        cause: error,
      });
    }
  }
}

function readPlace(file: string): Place | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Refused(`feed: --position: ${cannotRead(file, error)}`, { cause: error });
  }
  try {
    const { inode, bytes, sha256, at } = JSON.parse(text);
    if (Number.isInteger(inode) && Number.isInteger(bytes) && /^[0-9a-f]{64}$/.test(sha256))
      return { inode, bytes, sha256, at: String(at) };
  } catch {}
  throw new Refused(
    `feed: --position: ${file} doesn't say how far a feed has read: name another file, or remove it to begin anew`,
  );
}
