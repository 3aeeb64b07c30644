/** What should go, by person: for the command and for the console. */
import { CSV_COLUMNS, csvHeader, declaredColumns, renderCsvRow } from '../../shared/formats/render-csv.ts';
import type { Breach, Breaches } from './breaches.ts';
import { type Creator, creatorText, shownCreator } from './creator.ts';
import type { Policy } from './policies.ts';
import { csvRecord } from './readable-record.ts';
import { addOne } from './status-counts.ts';

export interface PersonsBreaches {
  readonly creator: Creator;
  /** How many keys of this creator break a policy, each counted once. */
  readonly keys: number;
  /** Of these, how many break which policy. */
  readonly policies: ReadonlyMap<Policy, number>;
}

/** Those with the most keys first. */
export function breachesByPerson(breaches: Breaches): PersonsBreaches[] {
  const people = new Map<string, { creator: Creator; keys: number; policies: Map<Policy, number> }>();
  for (const { key, policies } of breaches.all()) {
    const who = shownCreator(key);
    const creator = creatorText(who);
    const person = people.get(creator) ?? { creator: who, keys: 0, policies: new Map() };
    people.set(creator, person);
    person.keys += 1;
    for (const policy of policies) addOne(person.policies, policy);
  }
  return [...people.values()].sort((a, b) => b.keys - a.keys || (a.creator.id < b.creator.id ? -1 : 1));
}

/** Such as `12 of rotate-yearly, 3 of nobody-who-left`. */
export function policyCounts({ policies }: PersonsBreaches): string {
  return Array.from(policies, ([{ name }, count]) => `${count} of ${name}`).join(', ');
}

/**
 * For the vendor, to revoke: each key that breaks a policy, once, as CSV with the columns of a roster, its strictest level and all its
 * policies. Nothing of a directory is in it.
 */
export function* revokeCsv(breaches: Breaches, exact = false, rowText = (row: string) => row) {
  const sample = {};
  for (const { key } of breaches.all()) Object.assign(sample, key);
  const columns = revokeColumns(sample);
  yield revokeHeader(columns);
  for (const breach of breaches.all()) yield rowText(revokeRow(breach, exact, columns));
}

export const revokeColumns = (first: object | undefined) => [...CSV_COLUMNS, ...declaredColumns(first)];
export const revokeHeader = (columns: readonly string[]) => csvHeader([...columns, 'level', 'policies']);

/** No character of a policy's name is one that CSV or a spreadsheet takes for another. */
export function revokeRow({ key, policies }: Breach, exact: boolean, columns: readonly string[]): string {
  const level = policies.some(each => each.level === 'fail') ? 'fail' : 'warn';
  const names = policies.map(({ name }) => name).join(' ');
  return `${renderCsvRow(csvRecord(key), { exact, columns }).trimEnd()},${level},${names}\n`;
}
