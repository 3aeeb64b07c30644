import { type Coverage, Directory } from '../../admin/directory/directory.ts';
import { joinSteps } from '../../admin/directory/join-files.ts';
import type { PeopleFile } from '../../admin/directory/people-file.ts';
import type { LocalFilter } from '../../admin/find/local-filter.ts';
import { defaultPolicies, OF_WHO_LEFT } from '../../admin/report/default-policies.ts';
import { parsePolicies } from '../../admin/report/parse-policies.ts';
import type { Policy } from '../../admin/report/policies.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { problemTexts } from '../../shared/record/faults.ts';
import { inSlices, openFile } from '../files/open-file.ts';
import { Observable } from '../shell/observable.ts';
import { CannotFilter } from '../walk/cannot-filter.ts';
import { ANY_POLICY, type RosterQuery } from '../walk/query.ts';
import type { WalkSource } from '../walk/walk.ts';
import { WorklistCount } from './worklist-count.ts';

/**
 * What an admin works with besides the roster: files of their own, and what was counted with them. Nothing of a file is sent or stored,
 * and all of it ends with the session.
 */
export class Desk extends Observable {
  directory = new Directory([]);
  /** What each file of people gave. */
  gave: readonly string[] = [];
  policiesFile: string | null = null;
  count: WorklistCount | null = null;
  /** Why a file can't be used, in lines. */
  problems: readonly string[] = [];
  #policies: unknown;
  #people: ReadonlyMap<string, PeopleFile> = new Map();
  readonly #source: WalkSource;

  constructor(source: WalkSource) {
    super();
    this.#source = source;
  }

  /** Counts anew, with the files that are there. */
  countAgain(): void {
    this.count?.walk.stop();
    this.count = new WorklistCount(this.#source, first => this.#policiesOf(first));
    this.count.walk.run().then(() => this.tell(this.problems));
    this.tell();
  }

  /** Takes each file for what it is: policies, or people, who are joined with those of other files. */
  async open(files: readonly File[]): Promise<void> {
    const problems: string[] = [];
    const people = new Map(this.#people);
    for (const file of files) {
      const opened = await openFile(file);
      if ('people' in opened) people.set(file.name, opened.people);
      else {
        const found = 'problems' in opened ? opened.problems : this.#usePolicies(opened.json, file.name);
        problems.push(...found.map(problem => `${file.name}: ${problem}`));
      }
    }
    if (files.some(({ name }) => people.get(name) !== this.#people.get(name)))
      problems.push(...(await this.#usePeople(people)));
    this.tell(problems);
  }

  /** Shows these problems, in place of others. */
  tell(problems: readonly string[] = []): void {
    this.problems = problems;
    this.changed();
  }

  forgetDirectory(): void {
    this.directory = new Directory([]);
    this.#people = new Map();
    this.gave = [];
    if ('faults' in parsePolicies(this.#policies, this.directory)) this.policiesFile = null; // it needs the directory
    this.countAgain();
  }

  forgetPolicies(): void {
    this.policiesFile = null;
    this.countAgain();
  }

  /** Whether nobody knows yet which policies there are. */
  get isUndecided(): boolean {
    return this.count?.total === undefined && !this.count?.walk.read;
  }

  /** As a filter, which says behind a space what file it was counted with: without that, other keys would be there. */
  breaking(policy: string): RosterQuery {
    const isOfDirectory = this.#policiesNamed(policy).some(({ name }) => name === OF_WHO_LEFT);
    const file = this.policiesFile !== null ? ' policies' : isOfDirectory ? ' directory' : '';
    return { breaks: policy + file };
  }

  /** Whether a key breaks it. Throws `CannotFilter` where there is no such policy, or not the file. */
  breaks(name: string): LocalFilter<ApiKeyRecord> {
    const { brokenBy, policiesFile } = this;
    const asked = this.#policiesNamed(name);
    const isOfDirectory = name.endsWith(' directory') || (name === OF_WHO_LEFT && asked.length === 0);
    if (isOfDirectory && !this.directory.tellsLeft)
      throw new CannotFilter('breaks: needs a directory that tells who left: drop its file into this page');
    if (asked.length === 0 || (name.endsWith(' policies') && policiesFile === null))
      throw new CannotFilter('breaks: needs the policies file that has it: drop that file into this page');
    return key => brokenBy(key).some(policy => asked.includes(policy));
  }

  /** Of the creators of all keys. `undefined`: there is no directory, or the keys aren't counted. */
  get coverage(): Coverage | undefined {
    if (this.directory.size === 0 || this.count?.total === undefined) return undefined;
    return this.count.figures.people(this.directory).directory;
  }

  /** By this count, whatever is counted later. */
  get brokenBy(): (key: ApiKeyRecord) => readonly Policy[] {
    const { count } = this;
    return key => count?.breaches.brokenBy(key) ?? [];
  }

  end(): void {
    this.count?.walk.stop();
  }

  #policiesNamed(name: string): readonly Policy[] {
    const policies = this.count?.breaches.policies ?? [];
    const [wanted] = name.split(/ (?:policies|directory)$/);
    return policies.filter(policy => wanted === ANY_POLICY || policy.name === wanted);
  }

  /** Returns what is wrong with them. Files without IDs wait for one that has them. */
  async #usePeople(people: ReadonlyMap<string, PeopleFile>): Promise<readonly string[]> {
    const files = [...people.values()];
    const joined = await inSlices(joinSteps(files));
    if ('problems' in joined) {
      if (!files.some(({ hasIds }) => hasIds)) this.#people = people;
      return joined.problems.map(problem => `${joined.file}: ${problem}`);
    }
    const parsed = this.policiesFile !== null && parsePolicies(this.#policies, joined.directory);
    if (parsed && 'faults' in parsed)
      return problemTexts(parsed.faults).map(problem => `${this.policiesFile}: ${problem}`);
    this.#people = people;
    this.directory = joined.directory;
    this.gave = [...(files.length > 1 ? joined.gave : []), ...joined.doubts];
    this.countAgain();
    return [];
  }

  /** Returns what is wrong with them. */
  #usePolicies(json: unknown, file: string): readonly string[] {
    const parsed = parsePolicies(json, this.directory);
    if ('faults' in parsed) return problemTexts(parsed.faults);
    [this.policiesFile, this.#policies] = [file, json];
    this.countAgain();
    return [];
  }

  /** Parsed again for each count, as the directory tells who has left. */
  #policiesOf(first: object) {
    const parsed = this.policiesFile === null ? null : parsePolicies(this.#policies, this.directory);
    return parsed && 'policies' in parsed ? parsed.policies : defaultPolicies(first, this.directory);
  }
}
