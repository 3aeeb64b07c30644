/** One directory from several files: the vendor's list of users, with their IDs, and what the company knows of them, by mail address. */
import type { Fault } from '../../shared/record/faults.ts';
import { OWNER_ID_RULE, parseOwnerId } from '../../shared/record/identifier.ts';
import { Directory, type DirectoryEntry } from './directory.ts';
import { fewProblems, type PeopleFile, type Problems } from './people-file.ts';
import { personOf } from './person-of-rows.ts';
import type { PersonRow } from './row-reader.ts';

export interface Joined {
  readonly directory: Directory;
  /** What each file gave, and what of it isn't read. No value of a file is told, but for words of states. */
  readonly gave: readonly string[];
  readonly ignored: readonly string[];
  /** What has to be looked at. */
  readonly doubts: readonly string[];
}

/** More would sooner be the wrong file than so many leavers. */
const MAX_MISSING = 1 / 5;
const NO_IDS =
  "has no IDs of creators, such as keys have: give the vendor's list of its users too, with ID and mail address";

/**
 * A row in each step, so that a page can draw between them.
 * @param everyone the one of the files that has everybody: a user who isn't in it has left.
 * @param now in milliseconds since 1970.
 */
export function* joinSteps(
  files: readonly PeopleFile[],
  everyone?: PeopleFile,
  now = Date.now(),
): Generator<undefined, Joined | Problems> {
  const named = filesOfCreators(files.filter(file => file !== everyone));
  if (named.length === 0) return { file: files.map(({ file }) => file).join(', '), problems: [NO_IDS] };
  const linked = yield* linkSteps(files, named);
  if ('problems' in linked) return linked;
  const joined = new Set<PersonRow>();
  const entries: DirectoryEntry[] = [];
  let [users, missing, twice] = [0, 0, 0];
  for (const [id, own] of linked.byId) {
    const others = othersOf(own, linked.byLink);
    if (own.length + others.length > 1) for (const row of [...own, ...others]) joined.add(row);
    const person = personOf(id, own, others, { everyone: everyone?.file, now });
    entries.push(person.entry);
    users += Number(person.isMissing !== undefined);
    missing += Number(person.isMissing === true);
    twice += Number(person.isTwice);
    yield;
  }
  if (everyone && missing > users * MAX_MISSING) {
    const problem = `lacks ${missing} of ${users} users by their mail address, more than a fifth: is everybody in it?`;
    return { file: everyone.file, problems: [problem] };
  }
  return {
    directory: new Directory(entries, everyone !== undefined || files.some(({ tellsLeft }) => tellsLeft)),
    gave: files.map(file => gaveText(file, file.rows.filter(row => joined.has(row)).length)),
    ignored: files.filter(({ ignored }) => ignored.length > 0).map(ignoredText),
    doubts: [
      ...files.filter(({ unknownWords }) => unknownWords.length > 0).map(unknownText),
      ...twiceText(twice),
    ],
  };
}

const gaveText = ({ file, rows, headings }: PeopleFile, joined: number) =>
  `${file}: ${rows.length} row(s), ${joined} joined, ${rows.length - joined} not; read: ${headings.join(', ')}`;

const ignoredText = ({ file, ignored }: PeopleFile) => `${file}: ignored: ${ignored.join(', ')}`;
const unknownText = ({ file, unknownWords }: PeopleFile) =>
  `${file}: no known state or kind, so it tells nothing: ${unknownWords.join(', ')}`;

const twiceText = (twice: number) =>
  twice > 0 ? [`${twice} of the people count as here, though another row says disabled or left`] : [];

/** Those with IDs of creators. A company's system has IDs of its own, unless no file has others. */
function filesOfCreators(files: readonly PeopleFile[]): readonly PeopleFile[] {
  const withIds = files.filter(({ hasIds }) => hasIds);
  const vendors = withIds.filter(({ isOfCompany }) => !isOfCompany);
  return vendors.length > 0 ? vendors : withIds;
}

type Index = Map<string, PersonRow[]>;

interface Linked {
  /** The rows of each creator, of the files with their IDs. */
  readonly byId: Index;
  /** For each file. */
  readonly byLink: ReadonlyMap<string, Index>;
}

function* linkSteps(
  files: readonly PeopleFile[],
  named: readonly PeopleFile[],
): Generator<undefined, Linked | Problems> {
  const byId: Index = new Map();
  const byLink = new Map<string, Index>();
  const faults: Fault[] = [];
  for (const file of files) {
    const index: Index = new Map();
    byLink.set(file.file, index);
    for (const row of file.rows) {
      const problem = named.includes(file) && problemOfId(row, byId.get(row.id));
      if (problem) faults.push({ field: `${row.place}: id`, problem });
      if (named.includes(file)) put(byId, row.id, row);
      for (const link of linksOf(row)) put(index, link, row);
      yield;
    }
    if (faults.length > 0) return { file: file.file, problems: fewProblems(faults) };
  }
  return { byId, byLink };
}

/** @param same the rows before that have this ID. */
function problemOfId({ id, file }: PersonRow, same: readonly PersonRow[] = []): string | undefined {
  if (parseOwnerId(id) === undefined) return id === '' ? `is missing: ${OWNER_ID_RULE}` : OWNER_ID_RULE;
  const twin = same.find(row => row.file === file);
  return twin && `is that of ${twin.place} too: leave one`;
}

/** What tells that two rows are of one person. IDs that are numbers may be of two systems. */
const linksOf = ({ id, mails }: PersonRow) => [
  ...mails.map(mail => mail.toLowerCase()),
  ...(/^\d*$/.test(id) ? [] : [id]),
];

function put(index: Index, key: string, row: PersonRow): void {
  const rows = index.get(key);
  if (rows) rows.push(row);
  else index.set(key, [row]);
}

/**
 * What other files have of the same person, whose mail addresses lead to more. A mailbox may be shared: who signs in by the address is
 * meant, and of a file that has given a row no other address is asked.
 */
function othersOf(own: readonly PersonRow[], byLink: Linked['byLink']): readonly PersonRow[] {
  const others = new Map([...byLink].filter(([name]) => own.every(({ file }) => file !== name)));
  const links = new Set(own.flatMap(linksOf));
  const rows: PersonRow[] = [];
  for (const link of links)
    for (const [name, index] of others) {
      const found = index.get(link) ?? [];
      const bySignIn = found.filter(({ account }) => account?.toLowerCase() === link);
      const meant = bySignIn.length > 0 ? bySignIn : found;
      if (meant.length > 0) others.delete(name);
      rows.push(...meant);
      for (const more of meant.flatMap(linksOf)) links.add(more);
    }
  return rows;
}
