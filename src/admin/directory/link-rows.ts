/** The rows of files that are of one person. */
import type { DirectoryEntry } from './directory.ts';
import { foldedText } from './headings.ts';
import type { PeopleFile } from './people-file.ts';
import { isMail, type PersonRow } from './row-reader.ts';

export type Index = Map<string, PersonRow[]>;
/** For each file, by mail address and ID, and by what managers are called. */
export type Links = Map<string, Index>;

/** What managers are called: of a company they are few. */
export function managersCalled(files: readonly PeopleFile[]): ReadonlySet<string> {
  const managers = new Set(files.flatMap(({ rows }) => rows.flatMap(({ manager = [] }) => manager)));
  return new Set([...managers].flatMap(partsOf).map(callOf));
}

export function link(row: PersonRow, index: Index, called: ReadonlySet<string>): void {
  for (const key of linksOf(row)) put(index, key, row);
  if (called.size === 0) return;
  for (const text of [row.id, row.employee ?? '', ...partsOf(row.name ?? '')])
    if (called.has(callOf(text))) put(index, callOf(text), row);
}

export function put(index: Index, key: string, row: PersonRow): void {
  const rows = index.get(key);
  if (rows) rows.push(row);
  else index.set(key, [row]);
}

/** So many rows with one address are no person's: it is a mailbox of many, and tells only that it is there. */
const MAX_SHARED = 100;

/** Once all rows of a file are in its index. Who signs in by an address is meant by it. */
export function settle(file: string, index: Index): void {
  for (const [key, rows] of index) {
    if (rows.length === 1) continue;
    const bySignIn = rows.filter(({ account }) => account?.toLowerCase() === key);
    const meant = bySignIn.length > 0 ? bySignIn : rows;
    const mails = isMail(key) ? [key] : [];
    index.set(key, meant.length > MAX_SHARED ? [{ file, place: '', id: '', mails }] : meant);
  }
}

const mailsOf = ({ mails }: PersonRow) => mails.map(mail => mail.toLowerCase());

/** Of a row with an ID of the vendor's. */
export const ownLinks = (row: PersonRow) => [...mailsOf(row), row.id];

/** What tells that two rows are of one person. IDs may be of two systems: they count where there is no mail address, and no numbers. */
export const linksOf = (row: PersonRow) =>
  row.mails.length > 0 || /^\d*$/.test(row.id) ? mailsOf(row) : [row.id];

/** By which of its links a row is of one of the vendor's users: that of the sign-in, or else the first. */
export function anchorOf(row: PersonRow, owned: ReadonlySet<string>): string | undefined {
  const links = row.account === undefined ? linksOf(row) : [row.account.toLowerCase(), ...linksOf(row)];
  return links.find(link => owned.has(link));
}

/** A row of one ID that can't be of the same person as another of it, by their mail addresses: its ID may be that of another system. */
export function clashOf(own: readonly PersonRow[], byFile: Links): PersonRow | undefined {
  const people = own.every(({ kind = 'person' }) => kind === 'person') ? own : [];
  const isOther = (mails: readonly string[], row: PersonRow) =>
    mails.length > 0 && row.mails.length > 0 && !mailsOf(row).some(mail => mails.includes(mail));
  return people.find(row => {
    const mails = mailsOf(row);
    const others = people.filter(each => isOther(mails, each));
    const isKnown = (file: string) => mails.some(mail => byFile.get(file)?.has(mail));
    return others.some(({ file }) => /^\d*$/.test(row.id) || isKnown(file));
  });
}

/** `Ann Miller (100)` and `Ann <ann@example.com>` have what is more exact in the end. */
function partsOf(text: string): readonly string[] {
  const [, name, exact] = /^(.+?)\s*[(<]([^()<>]+)[)>]$/.exec(text) ?? [];
  return [exact, text, name].filter(part => part !== undefined);
}

/** A name, whichever part is first, or a number. No mail address and no ID begins so. */
const callOf = (text: string) => `\n${foldedText(text.replace(/^([^,]+),([^,]+)$/, '$2 $1'))}`;

/** What other files have of the same person. */
export function othersOf(own: readonly PersonRow[], byFile: Links, owned: ReadonlySet<string>) {
  const others = new Map([...byFile].filter(([name]) => own.every(({ file }) => file !== name)));
  return linkedRows(own.flatMap(ownLinks), others, owned);
}

/**
 * What files have of the person with these IDs and mail addresses, whose rows lead to more. A mailbox may be shared: a row that is of
 * another of the vendor's users is left out, and of a file that has given a row no other address is asked.
 */
function linkedRows(first: readonly string[], byFile: Links, owned: ReadonlySet<string>) {
  const others = new Map(byFile);
  const links = new Set(first);
  const rows: PersonRow[] = [];
  for (const link of links)
    for (const [name, index] of others)
      for (const row of index.get(link) ?? []) {
        const anchor = anchorOf(row, owned);
        if (anchor !== undefined && !first.includes(anchor)) continue;
        others.delete(name);
        rows.push(row);
        for (const more of linksOf(row)) links.add(more);
      }
  return rows;
}

/**
 * All that files have of a manager, by mail address, ID, a name that one person has, or a number of the same file's; and the mail
 * address, if that is how the manager is named. No rows: nobody.
 */
export function managerRows(
  { manager = '', managerIn }: DirectoryEntry,
  byFile: Links,
  owned: ReadonlySet<string>,
) {
  const wholeOf = (rows: readonly PersonRow[]) => [
    ...new Set([...rows, ...linkedRows(rows.flatMap(ownLinks), byFile, owned)]),
  ];
  for (const text of partsOf(manager)) {
    const mail = isMail(text) ? text.toLowerCase() : undefined;
    const linked = [...byFile.values()].flatMap(index => index.get(mail ?? text) ?? []);
    if (mail || linked.length > 0) return { mail, rows: wholeOf(linked) };
    const files = [...byFile].filter(([file]) => file === managerIn || /\D/.test(text));
    const [first, ...others] = files.flatMap(([, index]) => index.get(callOf(text)) ?? []);
    if (first === undefined) continue;
    const rows = wholeOf([first]);
    return { rows: others.every(row => rows.includes(row)) ? rows : [] };
  }
  return { rows: [] };
}
