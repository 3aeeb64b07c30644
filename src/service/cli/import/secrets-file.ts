import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Refused } from '../../../shared/record/faults.ts';
import { writeAll } from './write-all.ts';

/** Readable by its owner only, since each line has a secret. */
const OWNER_ONLY = 0o600;

/** New admin keys with their secrets, as JSON Lines. Never overwrites a file. */
export class SecretsFile {
  readonly path: string;
  readonly #descriptor: number;

  constructor(path: string) {
    this.path = path;
    try {
      this.#descriptor = openSync(path, 'wx', OWNER_ONLY);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const why =
        code === 'EEXIST' ? `${path} already exists: give another name` : `can't write ${path}: ${message}`;
      throw new Refused(`--to: ${why}`, { cause: error });
    }
  }

  /** Takes the place of what was written before. It is on the disk then: what it is about may be committed. */
  write(records: readonly object[]): void {
    try {
      ftruncateSync(this.#descriptor);
      let position = 0;
      for (const record of records)
        position += writeAll(this.#descriptor, `${JSON.stringify(record)}\n`, position);
      fsyncSync(this.#descriptor);
      syncFolder(dirname(this.path));
    } catch (error) {
      throw new Refused(`--to: can't write ${this.path}: ${(error as Error).message}`, { cause: error });
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The name of a new file is in its folder, which is written by itself. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
