/** The rows of files that are of one person. */
import type { DirectoryEntry } from './directory.ts';
import { foldedText } from './headings.ts';
import type { PeopleFile } from './people-file.ts';
import type { PersonRow } from './row-reader.ts';

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

/** What tells that two rows are of one person. IDs that are numbers may be of two systems. */
const linksOf = ({ id, mails }: PersonRow) => [
  ...mails.map(mail => mail.toLowerCase()),
  ...(/^\d*$/.test(id) ? [] : [id]),
];

/** `Ann Miller (100)` and `Ann <ann@example.com>` have what is more exact in the end. */
function partsOf(text: string): readonly string[] {
  const [, name, exact] = /^(.+?)\s*[(<]([^()<>]+)[)>]$/.exec(text) ?? [];
  return [exact, text, name].filter(part => part !== undefined);
}

/** A name, whichever part is first, or a number. No mail address and no ID begins so. */
const callOf = (text: string) => `\n${foldedText(text.replace(/^([^,]+),([^,]+)$/, '$2 $1'))}`;

/** What other files have of the same person. */
export function othersOf(own: readonly PersonRow[], byFile: Links): readonly PersonRow[] {
  const others = new Map([...byFile].filter(([name]) => own.every(({ file }) => file !== name)));
  return linkedRows(own.flatMap(linksOf), others);
}

/**
 * What files have of the person with an ID or a mail address, whose mail addresses lead to more. A mailbox may be shared: who signs in
 * by the address is meant, and of a file that has given a row no other address is asked.
 */
function linkedRows(first: readonly string[], byFile: Links): readonly PersonRow[] {
  const others = new Map(byFile);
  const links = new Set(first);
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

/** All that files have of a manager, by mail address, ID, a name that one person has, or a number of the same file's. `[]`: nobody. */
export function managerRows({ manager = '', managerIn }: DirectoryEntry, byFile: Links) {
  for (const text of partsOf(manager)) {
    const linked = linkedRows([text, text.toLowerCase()], byFile);
    if (linked.length > 0) return linked;
    const files = [...byFile].filter(([file]) => file === managerIn || /\D/.test(text));
    const [first, ...others] = files.flatMap(([, index]) => index.get(callOf(text)) ?? []);
    if (first === undefined) continue;
    const rows = [first, ...linkedRows(linksOf(first), byFile)];
    return others.every(row => rows.includes(row)) ? rows : [];
  }
  return [];
}
