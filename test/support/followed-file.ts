import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, linkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreBusy, StoreUnavailable } from '../../src/roster/errors.ts';
import type { StoreReader } from '../../src/roster/roster.ts';
import { openReader } from '../../src/sqlite/store.ts';
import type { Steps } from './file-history.ts';
import type { Deed } from './file-operator.ts';
import {
  type Content,
  contentOf,
  keysNamed,
  listedNames,
  ORGANIZATIONS,
  type Template,
  templateFile,
} from './file-templates.ts';

/** Longer than a reader may read a file that was just replaced. */
const UNCHECKED_MS = 12;
const PATIENCE_MS = 5_000;

export interface Counts {
  listed: number;
  refused: number;
}

interface FollowedOptions {
  /** The folder of the templates, and that of this history. */
  readonly templates: string;
  readonly place: string;
  readonly path: string;
  readonly start: Template;
  readonly operator: ChildProcess;
  readonly counts: Counts;
}

/** A store's file under a reader, and what is known of both. */
export class FollowedFile {
  readonly #templates: string;
  readonly #file: string;
  readonly #operator: ChildProcess;
  readonly #counts: Counts;
  readonly #reader: StoreReader;
  /** What each organization's list may be. */
  readonly #known = new Set<string>();
  /** What is in the file with its log; `null` when the end of a log was lost. */
  #content: Content | null;
  /** The contents that were put in place. */
  readonly #seen = new Set<Template>();
  /** Counts the files that were put in this place. */
  #inPlace = 0;
  /** The file whose commits are in the log; `null` when there are none. */
  #logOf: number | null = null;
  /** Whether the log or the shared file was damaged since they were last removed. */
  #damaged = false;
  /** Whether a checkpoint since the last commit may look like other content, as the shared file was removed that told of it. */
  #isCheckpointUntold = false;
  #commits = 0;

  constructor({ templates, place, path, start, operator, counts }: FollowedOptions) {
    this.#templates = templates;
    this.#operator = operator;
    this.#counts = counts;
    this.#file = join(place, 'store.db');
    copyFileSync(templateFile(templates, start), this.#file);
    let opened = this.#file;
    if (path !== 'file') opened = join(place, 'link.db');
    if (path === 'symbolic link') symlinkSync(this.#file, opened);
    if (path === 'hard link') {
      linkSync(this.#file, opened);
      this.#file = opened; // SQLite's other files are beside the name that was opened
    }
    this.#seen.add(start);
    this.#content = this.#learn(contentOf(start));
    this.#reader = openReader(opened, { pageCacheBytes: 2 ** 20 });
  }

  async take<Name extends keyof Steps>(what: Name, values: Steps[Name], busy: boolean): Promise<void> {
    let done = false;
    const taken = this.#steps[what](values).finally(() => {
      done = true;
    });
    const read = async () => {
      while (busy && !done) await this.#read();
    };
    const [step, reads] = await Promise.allSettled([taken, read()]);
    if (reads.status === 'rejected') throw reads.reason;
    if (step.status === 'rejected') throw step.reason;
    await wait(UNCHECKED_MS);
    if (busy) await this.#assertListed();
  }

  readonly #steps: { readonly [Name in keyof Steps]: (values: Steps[Name]) => Promise<void> } = {
    read: () => this.#assertListed(),
    commit: async ({ organization, every }) => {
      if (!this.#isWhole()) return;
      const name = `commit ${++this.#commits} of ${ORGANIZATIONS[organization]}`;
      const names = (this.#content as Content)[organization] as readonly string[];
      const renamed = names.map((old, number) => (number % every === 0 ? name : old));
      const content = (this.#content as Content).map((old, number) =>
        number === organization ? renamed : old,
      );
      this.#learn(content);
      await this.#do({
        do: 'import',
        path: this.#file,
        organization: ORGANIZATIONS[organization] as never,
        keys: keysNamed(renamed),
      });
      this.#content = content;
      this.#isCheckpointUntold = false;
      this.#noteLog();
    },
    checkpoint: async ({ mode }) => {
      if (!this.#isWhole()) return;
      await this.#do({ do: 'checkpoint', file: this.#file, mode });
      this.#noteLog();
    },
    copyOver: ({ template }) => this.#put(template, 'copy over'),
    replace: ({ template }) => this.#put(template, 'copy and rename over'),
    moveAwayAndBack: async () => {
      await this.#do({ do: 'rename', file: this.#file, to: `${this.#file}.away` });
      await wait(UNCHECKED_MS);
      assert.equal((await this.#read()).listed, 0, 'a file that is gone was listed');
      await this.#do({ do: 'rename', file: `${this.#file}.away`, to: this.#file });
    },
    truncateAndRestore: async ({ part }) => {
      await this.#do({ do: 'copy over', file: `${this.#file}.kept`, source: this.#file });
      await this.#do({ do: 'truncate', file: this.#file, part });
      await this.#read();
      await this.#do({ do: 'copy over', file: this.#file, source: `${this.#file}.kept` });
      this.#noteLostLog();
      if (this.#logOf !== null) this.#damaged = true; // that it is the same content can't be told
    },
    truncateLog: async ({ part }) => {
      if (!existsSync(`${this.#file}-wal`)) return;
      await this.#do({ do: 'truncate', file: `${this.#file}-wal`, part });
      if (this.#logOf === null) return;
      this.#loseLog();
      if (part === 0) this.#logOf = null;
    },
    keepLog: async () => {
      if (existsSync(`${this.#file}-wal`))
        await this.#do({ do: 'copy over', file: `${this.#file}.kept-wal`, source: `${this.#file}-wal` });
    },
    restoreLog: async () => {
      if (!existsSync(`${this.#file}.kept-wal`) || this.#logOf !== this.#inPlace) return;
      await this.#do({ do: 'copy over', file: `${this.#file}-wal`, source: `${this.#file}.kept-wal` });
      this.#loseLog();
    },
    remove: async ({ suffixes }) => {
      await this.#do({ do: 'remove', files: suffixes.map(suffix => this.#file + suffix) });
      if (this.#logOf !== null) this.#isCheckpointUntold = true;
      if (suffixes.length === 2) this.#forgetLog();
      else if (suffixes[0] === '-wal') {
        this.#loseLog();
        this.#logOf = null;
      }
    },
  };

  /** Puts a whole file into place and removes what is left of the one before. It is then listed, whatever happened. */
  async mend(): Promise<void> {
    await this.#do({
      do: 'copy and rename over',
      file: this.#file,
      source: templateFile(this.#templates, 'red'),
    });
    await this.#do({ do: 'remove', files: ['-wal', '-shm'].map(suffix => this.#file + suffix) });
    this.#inPlace += 1;
    this.#forgetLog();
    this.#damaged = false;
    this.#content = this.#learn(contentOf('red'));
    await wait(UNCHECKED_MS);
    await this.#assertListed();
  }

  async close(): Promise<void> {
    await this.#reader.close();
  }

  async #put(template: Template, how: 'copy over' | 'copy and rename over'): Promise<void> {
    const content = this.#learn(contentOf(template));
    await this.#do({ do: how, file: this.#file, source: templateFile(this.#templates, template) });
    this.#noteLostLog();
    // What the log began with, once more: whether it is another file can't be told.
    if (this.#seen.has(template) && this.#logOf !== null) return this.#loseLog();
    this.#seen.add(template);
    this.#inPlace += 1;
    this.#content = content;
    await wait(UNCHECKED_MS);
    await this.#assertListed(); // before it is written to: docs/operations.md#the-stores-file
  }

  /** Whether the file has its own log, whole, and it is known what they hold. */
  #isWhole(): boolean {
    return (
      !this.#damaged && this.#content !== null && (this.#logOf === null || this.#logOf === this.#inPlace)
    );
  }

  #noteLog(): void {
    const log = statSync(`${this.#file}-wal`, { throwIfNoEntry: false });
    this.#logOf = log && log.size > 0 ? this.#inPlace : null;
  }

  /** SQLite deletes the log when it is opened at the moment at which the file that is copied over has no bytes yet. */
  #noteLostLog(): void {
    const log = statSync(`${this.#file}-wal`, { throwIfNoEntry: false });
    if (this.#logOf === null || (log && log.size > 0)) return;
    if (this.#logOf === this.#inPlace) this.#content = null;
    this.#logOf = null;
  }

  #loseLog(): void {
    this.#damaged = true;
    this.#content = null;
  }

  #forgetLog(): void {
    if (this.#logOf === this.#inPlace || this.#damaged) this.#content = null;
    this.#logOf = null;
    this.#damaged = false;
    this.#isCheckpointUntold = false;
  }

  #learn(content: Content): Content {
    for (const [organization, names] of content.entries()) {
      this.#known.add(JSON.stringify([organization, names]));
      this.#known.add(JSON.stringify([organization, names.filter((_, number) => number % 2 === 0)]));
    }
    return content;
  }

  async #do(deed: Deed): Promise<void> {
    const answered = once(this.#operator, 'message');
    this.#operator.send(deed);
    const [error] = await answered;
    assert.equal(error, null, `${deed.do}: ${error}`);
  }

  /** Lists everything once. Each list must be one that was in one file, as a whole. */
  async #read(): Promise<{ listed: number; current: boolean }> {
    const places = ORGANIZATIONS.flatMap((id, organization) =>
      [false, true].map(active => ({ id, organization, active })),
    );
    const lists = await Promise.allSettled(
      places.map(({ id, active }) => listedNames(this.#reader, id, active)),
    );
    let current = true;
    let listed = 0;
    let refused = 0;
    for (const [index, list] of lists.entries()) {
      const { organization = 0, active = false } = places[index] ?? {};
      if (list.status === 'rejected') {
        if (!(list.reason instanceof StoreUnavailable || list.reason instanceof StoreBusy)) throw list.reason;
        if (list.reason instanceof StoreUnavailable) refused += 1;
        current = false;
        continue;
      }
      listed += 1;
      assert.ok(
        this.#known.has(JSON.stringify([organization, list.value])),
        `a list of no file: ${JSON.stringify(summary(list.value))}`,
      );
      const now = this.#content?.[organization]?.filter((_, number) => !active || number % 2 === 0);
      current &&= JSON.stringify(now) === JSON.stringify(list.value);
    }
    this.#counts.listed += listed;
    this.#counts.refused += refused;
    return { listed, current };
  }

  async #assertListed(): Promise<void> {
    // Of a damaged log nothing may be left that is used.
    if (!this.#damaged && this.#logOf !== null && this.#logOf !== this.#inPlace) {
      assert.equal((await this.#read()).listed, 0, "a file beside another one's log was listed");
      return;
    }
    const end = performance.now() + PATIENCE_MS;
    while (!(await this.#read()).current && this.#isWhole() && !this.#isCheckpointUntold) {
      assert.ok(performance.now() < end, 'a whole file is not listed as it is');
      await wait(5);
    }
  }
}

function summary(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
