import { closeSync, fsyncSync, ftruncateSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { flushFolder } from '../../../shared/files.ts';
import { cannotWrite, openNewFile, writeAll } from './new-file.ts';

/** New admin keys with their secrets, as JSON Lines. Never overwrites a file. */
export class SecretsFile {
  readonly path: string;
  readonly #descriptor: number;

  constructor(path: string) {
    this.path = path;
    this.#descriptor = openNewFile('--to', path);
  }

  /** Takes the place of what was written before. It is on the disk then: what it is about may be committed. */
  write(records: readonly object[]): void {
    try {
      ftruncateSync(this.#descriptor);
      let position = 0;
      for (const record of records)
        position += writeAll(this.#descriptor, `${JSON.stringify(record)}\n`, position);
      fsyncSync(this.#descriptor);
      flushFolder(dirname(this.path));
    } catch (error) {
      throw cannotWrite('--to', this.path, error);
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
