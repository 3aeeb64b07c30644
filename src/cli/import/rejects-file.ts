import { closeSync, openSync, rmSync } from 'node:fs';
import { Refused } from '../../roster/errors.ts';
import { problemTexts } from '../../roster/refusals.ts';
import type { ImportRefusal } from '../../roster/roster.ts';
import { writeAll } from './write-all.ts';

/** Readable by its owner only: a line may have been refused because it holds a key. */
const OWNER_ONLY = 0o600;

/**
 * Refused lines as JSON Lines: `{"line", "problems", "source"}`, where `source` is that of `ImportRefusal`; with `organization_id`
 * before it where each line names its own, since a record doesn't have it. Never overwrites a file.
 */
export class RejectsFile {
  readonly #path: string;
  readonly #descriptor: number;

  readonly #namesOrganization: boolean;

  constructor(path: string, { namesOrganization }: { namesOrganization: boolean }) {
    this.#path = path;
    this.#namesOrganization = namesOrganization;
    try {
      this.#descriptor = openSync(path, 'wx', OWNER_ONLY);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const why =
        code === 'EEXIST' ? `${path} already exists: give another name` : `can't write ${path}: ${message}`;
      throw new Refused(`rejects: ${why}`, { cause: error });
    }
  }

  add({ line, organizationId, faults, source }: ImportRefusal): void {
    const problems = problemTexts(faults);
    const organization = this.#namesOrganization ? { organization_id: organizationId } : {};
    try {
      writeAll(this.#descriptor, `${JSON.stringify({ line, problems, ...organization, source })}\n`);
    } catch (error) {
      throw new Refused(`rejects: can't write ${this.#path}: ${(error as Error).message}`, { cause: error });
    }
  }

  /** For when nothing was imported: the file, which is never overwritten, would block the next try. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
