import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import type { ImportRefusal } from '../../service/roster/writes/imports.ts';
import { problemTexts, Refused } from '../../shared/record/faults.ts';

/** Readable by its owner only: it has lines that were refused because they hold a key. */
const OWNER_ONLY = 0o600;

/**
 * Refused lines as JSON Lines: `{"line", "problems", "source"}`, where `source` is that of `ImportRefusal`; with `organization_id`
 * before it where each line names its own, since a record doesn't have it. Never overwrites a file.
 *
 * Lines are refused in two passes, first for what they are, then for what the store has, and are in that order. Each is written at
 * once, so that none is lost however the import ends.
 */
export class RejectsFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #namesOrganization: boolean;

  constructor(path: string, { namesOrganization }: { namesOrganization: boolean }) {
    this.#path = path;
    this.#namesOrganization = namesOrganization;
    this.#descriptor = openNewFile(path);
  }

  add({ line, organizationId, faults, source }: ImportRefusal): void {
    const problems = problemTexts(faults);
    const organization = this.#namesOrganization ? { organization_id: organizationId } : {};
    try {
      writeFileSync(this.#descriptor, `${JSON.stringify({ line, problems, ...organization, source })}\n`);
    } catch (error) {
      throw cannotWrite(this.#path, error);
    }
  }

  /** For when nothing was imported, or nothing refused: the file, which is never overwritten, would block the next try. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Throws `Refused` for a file that is there. */
function openNewFile(path: string): number {
  try {
    return openSync(path, 'wx', OWNER_ONLY);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw isThere
      ? new Refused(`rejects: ${path} already exists: give another name`, { cause: error })
      : cannotWrite(path, error);
  }
}

function cannotWrite(path: string, error: unknown): Refused {
  return new Refused(`rejects: can't write ${path}: ${(error as Error).message}`, { cause: error });
}
