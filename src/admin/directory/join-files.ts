/** One directory from several files: the vendor's list of users, with their IDs, and what the company knows of them, by mail address. */
import type { Fault } from '../../shared/record/faults.ts';
import { OWNER_ID_RULE, parseOwnerId } from '../../shared/record/identifier.ts';
import { Directory, type DirectoryEntry } from './directory.ts';
import {
  anchorOf,
  clashOf,
  type Index,
  type Links,
  link,
  managerRows,
  managersCalled,
  othersOf,
  ownLinks,
  put,
  settle,
} from './link-rows.ts';
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
const OF_ANOTHER =
  "its ID is that of another person in another file, by their mail addresses: leave the IDs out of the file that has not the vendor's";

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
  const byId: Index = new Map();
  const byFile: Links = new Map();
  const owned = new Set<string>();
  const called = managersCalled(files);
  for (const each of files) {
    const index: Index = new Map();
    byFile.set(each.file, index);
    const faults = yield* linkSteps(each, named.includes(each) ? { byId, owned } : undefined, index, called);
    if (faults.length > 0) return { file: each.file, problems: fewProblems(faults) };
    settle(each.file, index);
  }
  const around = {
    everyone: everyone && { file: everyone.file, index: byFile.get(everyone.file) as Index },
    now,
  };
  const joined = new Set<PersonRow>();
  const entries: DirectoryEntry[] = [];
  let [users, missing, disputed] = [0, 0, 0];
  for (const [id, own] of byId) {
    const clash = clashOf(own, byFile);
    if (clash) return { file: clash.file, problems: [`${clash.place}: ${OF_ANOTHER}`] };
    const others = othersOf(own, byFile, owned);
    if (own.length + others.length > 1) for (const row of [...own, ...others]) joined.add(row);
    const person = personOf(id, own, others, around);
    entries.push(person.entry);
    users += Number(person.isMissing !== undefined);
    missing += Number(person.isMissing === true);
    disputed += Number(person.isDisputed);
    yield;
  }
  if (everyone && missing > users * MAX_MISSING) {
    const problem = `lacks ${missing} of ${users} users by their mail address, more than a fifth: is everybody in it?`;
    return { file: everyone.file, problems: [problem] };
  }
  const managerOf = (entry: DirectoryEntry): DirectoryEntry | undefined => {
    const { rows: all, mail } = managerRows(entry, byFile, owned);
    const rows = all.filter(({ kind = 'person' }) => kind === 'person');
    const own = rows.filter(row => named.some(({ file }) => file === row.file));
    const others = rows.filter(row => !own.includes(row));
    if (rows.length > 0) return { ...personOf('', own, others, around).entry, ...(mail && { mail }) };
    return !everyone && mail ? { id: mail, mail } : undefined;
  };
  const isByOther = (row: PersonRow) => row.account && anchorOf(row, owned) !== row.account.toLowerCase();
  const companys = files.filter(file => !named.includes(file)).flatMap(({ rows }) => rows);
  const byOther = companys.filter(row => joined.has(row) && isByOther(row)).length;
  const tellsLeft = everyone !== undefined || files.some(file => file.tellsLeft);
  return {
    directory: new Directory(entries, tellsLeft, managerOf),
    gave: files.map(file => gaveText(file, file.rows.filter(row => joined.has(row)).length)),
    ignored: files.filter(({ ignored }) => ignored.length > 0).map(ignoredText),
    doubts: [
      ...(byOther
        ? [`${byOther} row(s) are joined by a mail address that isn't the one of the sign-in`]
        : []),
      ...files.filter(({ unknownWords }) => unknownWords.length > 0).map(unknownText),
      ...(disputed ? [`${disputed} of the people are here by one row, and not by another`] : []),
    ],
  };
}

const gaveText = ({ file, rows, headings }: PeopleFile, joined: number) =>
  `${file}: ${rows.length} row(s), ${joined} joined, ${rows.length - joined} not; read: ${headings.join(', ')}`;

const ignoredText = ({ file, ignored }: PeopleFile) => `${file}: ignored: ${ignored.join(', ')}`;
const unknownText = ({ file, unknownWords }: PeopleFile) =>
  `${file}: no known state or kind, so it tells nothing: ${unknownWords.join(', ')}`;

/** Those with IDs of creators. A company's system has IDs of its own, unless no file has others. */
function filesOfCreators(files: readonly PeopleFile[]): readonly PeopleFile[] {
  const withIds = files.filter(({ hasIds }) => hasIds);
  const vendors = withIds.filter(({ isOfCompany }) => !isOfCompany);
  return vendors.length > 0 ? vendors : withIds;
}

/** @param vendors of a file with IDs of creators. */
function* linkSteps(
  { rows }: PeopleFile,
  vendors: { readonly byId: Index; readonly owned: Set<string> } | undefined,
  index: Index,
  called: ReadonlySet<string>,
) {
  const faults: Fault[] = [];
  for (const row of rows) {
    const problem = vendors && problemOfId(row, vendors.byId.get(row.id));
    if (problem) faults.push({ field: `${row.place}: id`, problem });
    if (vendors) put(vendors.byId, row.id, row);
    if (vendors) for (const link of ownLinks(row)) vendors.owned.add(link);
    link(row, index, called);
    yield;
  }
  return faults;
}

/** @param same the rows before that have this ID. */
function problemOfId({ id, file }: PersonRow, same: readonly PersonRow[] = []): string | undefined {
  if (parseOwnerId(id) === undefined) return id === '' ? `is missing: ${OWNER_ID_RULE}` : OWNER_ID_RULE;
  const twin = same.find(row => row.file === file);
  return twin && `is that of ${twin.place} too: leave one`;
}
