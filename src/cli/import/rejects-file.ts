import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { Refused } from '../../roster/errors.ts';
import type { ImportRefusal } from '../../roster/roster.ts';

/** Its owner's alone: a line may have been refused for holding a key. */
const OWNER_ONLY = 0o600;

/**
 * Refused lines as JSON Lines: `{"line", "problems", "source"}`, where the source is the line as it was read. Never
 * writes over a file that is there.
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
        code === 'EEXIST' ? `${path} is there already: give another name` : `can't write ${path}: ${message}`;
      throw new Refused(`rejects: ${why}`, { cause: error });
    }
  }

  add({ line, faults, source }: ImportRefusal): void {
    const problems = faults.map(({ field, problem }) => (field === null ? problem : `${field}: ${problem}`));
    writeSync(this.#descriptor, `${JSON.stringify({ line, problems, source })}\n`);
  }

  /** Nothing was imported: the file would only stand in the way of the next try. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
