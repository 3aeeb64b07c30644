/** A store's file under a reader while commits and mishaps come to it, with a model of what may be listed. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, linkSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreBusy, StoreUnavailable } from '../../src/service/roster/errors.ts';
import type { StoreReader } from '../../src/service/roster/roster.ts';
import { openReader } from '../../src/service/sqlite/store.ts';
import type { Filter } from '../../src/shared/record/filters.ts';
import {
  type Content,
  contentOf,
  FILTERS,
  keysNamed,
  listsOf,
  ORGANIZATION,
  type Template,
} from './file-contents.ts';
import type { Deeds } from './file-operator.ts';

/** Longer than a reader may read a file that was just replaced. */
const UNCHECKED_MS = 12;
const PATIENCE_MS = 10_000;

/** The folder of the templates, and the process of `file-operator.ts`. */
export interface Surroundings {
  readonly folder: string;
  readonly operator: ChildProcess;
}

export class FollowedFile {
  readonly #folder: string;
  readonly #place: string;
  readonly #file: string;
  readonly #operator: ChildProcess;
  readonly #reader: StoreReader;
  /** Each list that there was, in any file. */
  readonly #known = new Set<string>();
  /** What is in the file with its log; `null` when the end of a log was lost. */
  #content: Content | null;
  readonly #seen: Set<Template>;
  /** Whose commits are in the log. */
  #log: 'none' | 'own' | "another file's" = 'none';
  /** Whether the log or the shared file was damaged since they were last removed. */
  #damaged = false;
  /** Whether a checkpoint since the last commit may look like other content, as the shared file was removed that told of it. */
  #isCheckpointUntold = false;
  #commits = 0;
  listed = 0;
  refused = 0;

  constructor({ folder, operator }: Surroundings, path: string, start: Template) {
    this.#folder = folder;
    this.#operator = operator;
    this.#place = mkdtempSync(join(folder, 'history-'));
    this.#file = join(this.#place, 'store.db');
    copyFileSync(join(folder, start), this.#file);
    const opened = path === 'file' ? this.#file : join(this.#place, 'link.db');
    if (path === 'symbolic link') symlinkSync(this.#file, opened);
    if (path === 'hard link') {
      linkSync(this.#file, opened);
      this.#file = opened; // SQLite's other files are beside the name that was opened
    }
    this.#seen = new Set([start]);
    this.#content = this.#learn(contentOf(start));
    this.#reader = openReader(opened);
  }

  /** Takes the step, and lists all the time meanwhile if it is busy. */
  async take(step: () => Promise<void>, busy: boolean): Promise<void> {
    let done = false;
    const taken = step().finally(() => {
      done = true;
    });
    const read = async () => {
      while (busy && !done) await this.#read();
    };
    const failed = (await Promise.allSettled([read(), taken])).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    await wait(UNCHECKED_MS);
    if (busy) await this.assertListed();
  }

  /** Renames one in so many keys. */
  async commit(every: number): Promise<void> {
    if (!this.#isWhole()) return;
    const name = `commit ${++this.#commits}`;
    const content = (this.#content as Content).map((old, number) => (number % every === 0 ? name : old));
    this.#learn(content);
    await this.#do('import', this.#file, ORGANIZATION, keysNamed(content));
    this.#content = content;
    this.#isCheckpointUntold = false;
    this.#log = this.#hasLog() ? 'own' : 'none';
  }

  async checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): Promise<void> {
    if (!this.#isWhole()) return;
    await this.#do('checkpoint', this.#file, mode);
    this.#log = this.#hasLog() ? 'own' : 'none';
  }

  async put(template: Template, how: 'copyOver' | 'replace'): Promise<void> {
    const content = this.#learn(contentOf(template));
    await this.#do(how, this.#file, join(this.#folder, template));
    this.#noteLostLog();
    // What the log began with, once more: whether it is another file can't be told.
    if (this.#seen.has(template) && this.#log !== 'none') return this.#damageLog();
    this.#seen.add(template);
    if (this.#log === 'own') this.#log = "another file's";
    this.#content = content;
    await wait(UNCHECKED_MS);
    await this.assertListed(); // before it is written to: docs/operations.md#the-stores-file
  }

  async moveAwayAndBack(): Promise<void> {
    await this.#do('rename', this.#file, `${this.#file}.away`);
    await wait(UNCHECKED_MS);
    assert.equal((await this.#read()).listed, 0, 'a file that is gone was listed');
    await this.#do('rename', `${this.#file}.away`, this.#file);
  }

  async truncateAndRestore(part: number): Promise<void> {
    await this.#do('copyOver', `${this.#file}.kept`, this.#file);
    await this.#do('truncate', this.#file, part);
    await this.#read();
    await this.#do('copyOver', this.#file, `${this.#file}.kept`);
    this.#noteLostLog();
    if (this.#log !== 'none') this.#damaged = true; // that it is the same content can't be told
  }

  async truncateLog(part: number): Promise<void> {
    if (this.#log === 'none') return;
    await this.#do('truncate', `${this.#file}-wal`, part);
    this.#damageLog();
    if (part === 0) this.#log = 'none';
  }

  /** Puts back the log from before a commit. */
  async restoreLog(): Promise<void> {
    if (this.#log !== 'own' || !this.#isWhole()) return;
    const [log, kept] = [`${this.#file}-wal`, `${this.#file}.kept-wal`];
    await this.#do('copyOver', kept, log);
    await this.commit(2);
    await this.#do('copyOver', log, kept);
    this.#damageLog();
  }

  async remove(suffixes: readonly string[]): Promise<void> {
    await this.#do('remove', ...suffixes.map(suffix => this.#file + suffix));
    if (this.#log !== 'none') this.#isCheckpointUntold = true;
    if (suffixes.length === 2) this.#forgetLog();
    else if (suffixes[0] === '-wal') {
      this.#damageLog();
      this.#log = 'none';
    }
  }

  /** Puts a whole file into place and removes what is left of the one before. It is then listed, whatever happened. */
  async mend(): Promise<void> {
    await this.#do('replace', this.#file, join(this.#folder, 'red'));
    await this.#do('remove', `${this.#file}-wal`, `${this.#file}-shm`);
    this.#forgetLog();
    this.#content = this.#learn(contentOf('red'));
    await wait(UNCHECKED_MS);
    await this.assertListed();
  }

  async assertListed(): Promise<void> {
    // Of a damaged log nothing may be left that is used.
    if (!this.#damaged && this.#log === "another file's") {
      assert.equal((await this.#read()).listed, 0, "a file beside another one's log was listed");
      return;
    }
    const end = performance.now() + PATIENCE_MS;
    while (!(await this.#read()).current && this.#isWhole() && !this.#isCheckpointUntold) {
      assert.ok(performance.now() < end, 'a whole file is not listed as it is');
      await wait(5);
    }
  }

  async close(): Promise<void> {
    await this.#reader.close();
    rmSync(this.#place, { recursive: true });
  }

  /** Lists everything once. Each list must be one that was in one file, as a whole. */
  async #read(): Promise<{ listed: number; current: boolean }> {
    const lists = await Promise.all(FILTERS.map(filter => this.#list(filter)));
    for (const list of lists) assert.ok(list === null || this.#known.has(list), `a list of no file: ${list}`);
    const listed = lists.filter(list => list !== null).length;
    this.listed += listed;
    const now = this.#content && listsOf(this.#content);
    return { listed, current: now !== null && lists.every((list, index) => list === now[index]) };
  }

  /** The names that are listed; `null` where the store is refused. */
  async #list(filter: Filter): Promise<string | null> {
    try {
      const page = await this.#reader.listApiKeys(ORGANIZATION, { limit: 1000, cursor: null, filter });
      return String(page?.items.map(({ record }) => JSON.parse(record).name.trimEnd()));
    } catch (error) {
      if (error instanceof StoreUnavailable) this.refused += 1;
      else if (!(error instanceof StoreBusy)) throw error;
      return null;
    }
  }

  /** Whether the file has its own log, whole, and it is known what they hold. */
  #isWhole(): boolean {
    return !this.#damaged && this.#content !== null && this.#log !== "another file's";
  }

  #hasLog(): boolean {
    return (statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  }

  /** SQLite deletes the log when it is opened at the moment at which the file that is copied over has no bytes yet. */
  #noteLostLog(): void {
    if (this.#log === 'none' || this.#hasLog()) return;
    if (this.#log === 'own') this.#content = null;
    this.#log = 'none';
  }

  #damageLog(): void {
    this.#damaged = true;
    this.#content = null;
  }

  #forgetLog(): void {
    if (this.#log === 'own' || this.#damaged) this.#content = null;
    this.#log = 'none';
    this.#damaged = false;
    this.#isCheckpointUntold = false;
  }

  #learn(content: Content): Content {
    for (const list of listsOf(content)) this.#known.add(list);
    return content;
  }

  async #do<Name extends keyof Deeds>(name: Name, ...values: Parameters<Deeds[Name]>): Promise<void> {
    const answered = once(this.#operator, 'message');
    this.#operator.send([name, ...values]);
    const [error] = await answered;
    assert.equal(error, null, `${name}: ${error}`);
  }
}
