import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { Refused } from '../../roster/errors.ts';
import { problemTexts } from '../../roster/refusals.ts';
import type { ImportRefusal } from '../../roster/roster.ts';

/** Readable by its owner only: a line may have been refused because it holds a key. */
const OWNER_ONLY = 0o600;

/**
 * Refused lines as JSON Lines: `{"line", "problems", "source"}`, where `source` is that of `ImportRefusal`. Never overwrites a
 * file.
 */
export class RejectsFile {
  readonly #path: string;
  readonly #descriptor: number;

  constructor(path: string) {
    this.#path = path;
    try {
      this.#descriptor = openSync(path, 'wx', OWNER_ONLY);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const why =
        code === 'EEXIST' ? `${path} already exists: give another name` : `can't write ${path}: ${message}`;
      throw new Refused(`rejects: ${why}`, { cause: error });
    }
  }

  add({ line, faults, source }: ImportRefusal): void {
    writeSync(this.#descriptor, `${JSON.stringify({ line, problems: problemTexts(faults), source })}\n`);
  }

  /** For when nothing was imported: the file, which is never overwritten, would block the next try. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
