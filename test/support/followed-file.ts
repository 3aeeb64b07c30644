/** A store's file under a reader while commits and mishaps come to it, with a model of what may be listed. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, linkSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import { StoreBusy, StoreUnavailable } from '../../src/service/roster/errors.ts';
import type { StoreReader } from '../../src/service/roster/roster.ts';
import { openReader } from '../../src/service/sqlite/store.ts';
import type { Filter } from '../../src/shared/record/filters.ts';
import type { ApiKeyId, OrganizationId } from '../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../src/shared/record/timestamp.ts';
import type { Deeds } from './file-operator.ts';
import { importKeys } from './roster.ts';
import { numberedKey } from './seeded-service.ts';
import { storeAt } from './store-at.ts';

/** Longer than a reader may read a file that was just replaced. */
const UNCHECKED_MS = 12;
const PATIENCE_MS = 10_000;

const ORGANIZATION = 'org_1' as OrganizationId;
/** Stores to put into each other's place: with the same IDs of keys, but each key's name says whose it is. */
const KEYS = { red: 240, green: 240, blue: 80 } as const;
export type Template = keyof typeof KEYS;
export const TEMPLATES = Object.keys(KEYS) as Template[];
/** The names of the keys, newest first. */
type Content = readonly string[];

const contentOf = (template: Template): Content => Array(KEYS[template]).fill(template);

const keysNamed = (names: Content): ApiKey[] =>
  names.map((name, number) =>
    numberedKey(number, {
      id: `apikey_${number}` as ApiKeyId,
      name: name.padEnd(200), // so that a roster takes many pages of a file
      createdAt: BigInt(names.length - number) as Timestamp,
      status: number % 2 === 0 ? 'active' : 'inactive',
    }),
  );

const FILTERS: readonly Filter[] = [{}, { status: 'active' }];

/** The lists by each of `FILTERS` where this is the content. */
const listsOf = (content: Content) => [content, content.filter((_, number) => number % 2 === 0)].map(String);

export async function makeTemplates(folder: string): Promise<void> {
  for (const template of TEMPLATES) {
    const store = storeAt(`sqlite:${join(folder, template)}`);
    await store.migrate();
    const writer = await store.openWriter();
    await writer.createOrganization({ id: ORGANIZATION, name: 'Test', createdAt: 0n as Timestamp });
    await importKeys(writer, ORGANIZATION, keysNamed(contentOf(template)));
    await writer.close();
  }
}

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
  /** What is in the file with its own log, which has to be listed; `null` when it isn't known, or may be refused. */
  #content: Content | null;
  readonly #seen: Set<Template>;
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
    if (!this.#content) return;
    const name = `commit ${++this.#commits}`;
    const content = this.#learn(this.#content.map((old, number) => (number % every === 0 ? name : old)));
    await this.#do('import', this.#file, ORGANIZATION, keysNamed(content));
    this.#content = content;
  }

  async checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): Promise<void> {
    if (this.#content) await this.#do('checkpoint', this.#file, mode);
  }

  async put(template: Template, how: 'copyOver' | 'replace'): Promise<void> {
    const content = this.#learn(contentOf(template));
    await this.#do(how, this.#file, join(this.#folder, template));
    // What the log began with, once more: whether it is another file can't be told.
    const isTold = this.#content !== null && !(this.#seen.has(template) && this.#hasLog());
    this.#seen.add(template);
    this.#content = isTold && !this.#hasLog() ? content : null;
    if (!isTold) return;
    await wait(UNCHECKED_MS);
    if (this.#content)
      await this.assertListed(); // before it is written to: docs/operations.md#the-stores-file
    else assert.equal((await this.#read()).listed, 0, "a file beside another one's log was listed");
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
    if (this.#hasLog()) this.#content = null; // that it is the same file can't be told
    await this.#do('copyOver', this.#file, `${this.#file}.kept`);
  }

  async truncateLog(part: number): Promise<void> {
    if (!this.#hasLog()) return;
    this.#content = null;
    await this.#do('truncate', `${this.#file}-wal`, part);
  }

  /** Puts back the log from before a commit. */
  async restoreLog(): Promise<void> {
    if (!this.#hasLog() || !this.#content) return;
    const [log, kept] = [`${this.#file}-wal`, `${this.#file}.kept-wal`];
    await this.#do('copyOver', kept, log);
    await this.commit(2);
    this.#content = null;
    await this.#do('copyOver', log, kept);
  }

  async remove(suffixes: readonly string[]): Promise<void> {
    if (this.#hasLog()) this.#content = null;
    await this.#do('remove', ...suffixes.map(suffix => this.#file + suffix));
  }

  /** Puts a whole file into place and removes what is left of the one before. It is then listed, whatever happened. */
  async mend(): Promise<void> {
    await this.#do('replace', this.#file, join(this.#folder, 'red'));
    await this.#do('remove', `${this.#file}-wal`, `${this.#file}-shm`);
    this.#content = this.#learn(contentOf('red'));
    await wait(UNCHECKED_MS);
    await this.assertListed();
  }

  async assertListed(): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (!(await this.#read()).current && this.#content) {
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

  #hasLog(): boolean {
    return (statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
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
