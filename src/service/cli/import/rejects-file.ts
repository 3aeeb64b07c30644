import { closeSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { printError } from '../../../shared/command/terminal/print.ts';
import { problemTexts } from '../../../shared/record/faults.ts';
import type { ImportRefusal } from '../../roster/imports.ts';
import { cannotWrite, OWNER_ONLY, openNewFile, writeAll } from './new-file.ts';

/**
 * Refused lines as JSON Lines: `{"line", "problems", "source"}`, where `source` is that of `ImportRefusal`; with `organization_id`
 * before it where each line names its own, since a record doesn't have it. Never overwrites a file.
 *
 * Lines are refused in two passes, first for what they are, then for what the store has. Each is written at once, so that
 * none is lost however the import ends; `finish` puts them into the order of the source.
 */
export class RejectsFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #namesOrganization: boolean;
  readonly #places = new Places();
  #length = 0;

  constructor(path: string, { namesOrganization }: { namesOrganization: boolean }) {
    this.#path = path;
    this.#namesOrganization = namesOrganization;
    this.#descriptor = openNewFile('rejects', path);
  }

  add({ line, organizationId, faults, source }: ImportRefusal): void {
    const problems = problemTexts(faults);
    const organization = this.#namesOrganization ? { organization_id: organizationId } : {};
    try {
      const text = `${JSON.stringify({ line, problems, ...organization, source })}\n`;
      const length = writeAll(this.#descriptor, text);
      this.#places.add(line, this.#length, length);
      this.#length += length;
    } catch (error) {
      throw cannotWrite('rejects', this.#path, error);
    }
  }

  /** Sorts the refusals. Without one there is nothing to look at, so the file is removed. */
  finish(): void {
    if (this.#length === 0) this.remove();
    if (!this.#places.areSorted) this.#rewrite();
  }

  /** For when nothing was imported: the file, which is never overwritten, would block the next try. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }

  close(): void {
    closeSync(this.#descriptor);
    this.#places.close();
  }

  /** By a second file that takes its place. Where that can't be written, the first stays: all are in it. */
  #rewrite(): void {
    const path = `${this.#path}.sorted`;
    let sorted: number | undefined;
    try {
      sorted = openSync(path, 'wx', OWNER_ONLY);
      for (const { position, length } of this.#places.byLine())
        writeAll(sorted, this.#textAt(position, length));
      renameSync(path, this.#path);
    } catch (error) {
      if (sorted !== undefined) rmSync(path, { force: true });
      this.#tellUnsorted(error as Error);
    } finally {
      if (sorted !== undefined) closeSync(sorted);
    }
  }

  #tellUnsorted({ message }: Error): void {
    printError(
      `warning: ${this.#path} has all refused lines, but not in the order of the source: ${message}`,
    );
  }

  #textAt(position: number, length: number): string {
    const bytes = Buffer.alloc(length);
    readSync(this.#descriptor, bytes, { position });
    return bytes.toString();
  }
}

/** Where in the file each refusal is, in bytes. There may be as many as lines, so they are on the disk and not in memory. */
class Places {
  areSorted = true;
  #last = 0;
  #database: DatabaseSync | undefined;
  #insert: StatementSync | undefined;

  add(line: number, position: number, length: number): void {
    this.#database ??= new DatabaseSync(''); // a temporary file without a name
    this.#insert ??= prepareInsert(this.#database);
    this.#insert.run(line, position, length);
    this.areSorted &&= line >= this.#last;
    this.#last = line;
  }

  byLine(): Iterable<{ readonly position: number; readonly length: number }> {
    const all = this.#database?.prepare('SELECT position, length FROM places ORDER BY line, position');
    return (all?.iterate() ?? []) as Iterable<{ position: number; length: number }>;
  }

  close(): void {
    this.#database?.close();
  }
}

function prepareInsert(database: DatabaseSync): StatementSync {
  database.exec('PRAGMA journal_mode = OFF; CREATE TABLE places (line, position, length); BEGIN');
  return database.prepare('INSERT INTO places VALUES (?, ?, ?)');
}
