/** One directory from several files: the vendor's list of users, with their IDs, and what the company knows of them, by mail address. */
import type { Fault } from '../../shared/record/faults.ts';
import { ID_RULE, parseId } from '../../shared/record/identifier.ts';
import { Directory, type DirectoryEntry, stateAt } from './directory.ts';
import { fewProblems, type PeopleFile, type PersonRow, type Problems } from './people-file.ts';
import { HERE_FIRST } from './states.ts';

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
  const joined = new Map(files.map(({ file }) => [file, new Set<PersonRow>()]));
  const entries: DirectoryEntry[] = [];
  let [users, missing, twice] = [0, 0, 0];
  for (const [id, own] of byId) {
    const others = othersOf(own, byLink);
    if (own.length + others.length > 1) for (const row of [...own, ...others]) joined.get(row.file)?.add(row);
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
    gave: files.map(file => gaveText(file, joined.get(file.file)?.size ?? 0)),
    ignored: files
      .filter(({ ignored }) => ignored.length > 0)
      .map(({ file, ignored }) => `${file}: ignored: ${ignored.join(', ')}`),
    doubts: [
      ...files.filter(({ unknownWords }) => unknownWords.length > 0).map(unknownText),
      ...(twice > 0
        ? [`${twice} of the people count as here, though another row says disabled or left`]
        : []),
    ],
  };
}

const gaveText = ({ file, rows, headings }: PeopleFile, joined: number) =>
  `${file}: ${rows.length} row(s), ${joined} joined, ${rows.length - joined} not; read: ${headings.join(', ')}`;

const unknownText = ({ file, unknownWords }: PeopleFile) =>
  `${file}: no known state or kind, so it tells nothing: ${unknownWords.join(', ')}`;

/** Those with IDs of creators. A company's system has IDs of its own, unless no file has others. */
function filesOfCreators(files: readonly PeopleFile[]): readonly PeopleFile[] {
  const withIds = files.filter(({ hasIds }) => hasIds);
  const vendors = withIds.filter(({ isOfCompany }) => !isOfCompany);
  return vendors.length > 0 ? vendors : withIds;
}

/** @param same the rows before that have this ID. */
function problemOfId({ id, file }: PersonRow, same: readonly PersonRow[] = []): string | undefined {
  if (parseId(id) === undefined) return id === '' ? `is missing: ${ID_RULE}` : ID_RULE;
  const twin = same.find(row => row.file === file);
  return twin && `is that of ${twin.place} too: leave one`;
}

/** What tells that two rows are of one person. IDs that are numbers may be of two systems. */
const linksOf = ({ id, mails }: PersonRow) => [
  ...mails.map(mail => mail.toLowerCase()),
  ...(/^\d*$/.test(id) ? [] : [id]),
];

type Index = Map<string, PersonRow[]>;

function put(index: Index, key: string, row: PersonRow): void {
  const rows = index.get(key);
  if (rows) rows.push(row);
  else index.set(key, [row]);
}

/** What other files have of the same person, whose mail addresses lead to more. */
function othersOf(own: readonly PersonRow[], byLink: ReadonlyMap<string, Index>): readonly PersonRow[] {
  const others = [...byLink].filter(([name]) => own.every(({ file }) => file !== name));
  const links = new Set(own.flatMap(linksOf));
  const rows = new Set<PersonRow>();
  for (const link of links)
    for (const [, index] of others)
      for (const row of index.get(link) ?? []) {
        rows.add(row);
        for (const more of linksOf(row)) links.add(more);
      }
  return [...rows];
}

interface Surroundings {
  /** The name of the file that has everybody. */
  readonly everyone: string | undefined;
  readonly now: number;
}

/**
 * @param own the rows with this ID, whose texts stand before those of the others.
 * @returns `isMissing`: whether the file of everyone lacks this user; `undefined`: nobody knows. `isTwice`: here by one row and not by
 * another.
 */
function personOf(
  id: string,
  own: readonly PersonRow[],
  others: readonly PersonRow[],
  { everyone, now }: Surroundings,
) {
  const rows = [...own, ...others];
  const first = <Value>(read: (row: PersonRow) => Value | undefined) =>
    rows.map(read).find(value => value !== undefined);
  const kind = own.find(row => row.kind)?.kind;
  const isUser = (kind ?? 'person') === 'person' && rows.some(({ mails }) => mails.length > 0);
  const isMissing = everyone && isUser ? rows.every(({ file }) => file !== everyone) : undefined;
  // Who is in the file of everyone is here, where that doesn't say more.
  const saidBy = (row: PersonRow) => stateAt(row, now) ?? (row.file === everyone ? 'here' : undefined);
  // The company says whether somebody is here: an account at the vendor's is there for as long as nobody ends it.
  const isSaid = others.some(row => saidBy(row) !== undefined);
  const counting = [...others, ...own.filter(row => !isSaid || saidBy(row) !== 'here')];
  const said = new Set(counting.map(saidBy));
  const state = HERE_FIRST.find(each => said.has(each));
  const agreeing = counting.filter(row => saidBy(row) === state);
  const leftOn = agreeing.find(row => row.leftOn !== undefined)?.leftOn;
  const isByDay = leftOn !== undefined && agreeing.every(row => row.state !== state);
  const entry: DirectoryEntry = {
    id,
    kind,
    name: first(({ name }) => name),
    mail: first(({ mails }) => mails[0]),
    team: first(({ team }) => team),
    manager: first(({ manager }) => manager),
    state: isMissing ? 'left' : isByDay ? undefined : state,
    leftOn,
  };
  return { entry, isMissing, isTwice: state === 'here' && (said.has('left') || said.has('disabled')) };
}
