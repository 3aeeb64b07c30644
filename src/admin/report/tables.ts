/** The tables of a report, as the text and the HTML page both show them. */
import { type ListedKey, UNTOLD, workspaceOf } from '../../client/listed-key.ts';
import { lifecycleTime } from '../../shared/record/lifecycle.ts';
import { ageOf, daysFrom, daysOld } from './age.ts';
import { shownCreator } from './creator.ts';
import type { ReportView } from './report-view.ts';
import { dayOf, MAX_SHOWN, number, workspaceText } from './sections.ts';
import { breachesByPerson, type PersonsBreaches, policyCounts } from './worklist.ts';

/** By their headings. */
type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

/** How columns are shown: a name is what anybody may choose. What isn't here has its text whole. */
export const KINDS: Readonly<Record<string, 'number' | 'name'>> = {
  days: 'number',
  keys: 'number',
  name: 'name',
  creator: 'name',
  mail: 'name',
  workspace: 'name',
};

function daysText(key: ListedKey, now: Date): string {
  const ageMs = ageOf(key.created_at, now);
  return Number.isNaN(ageMs) ? UNTOLD : number(daysOld(ageMs));
}

export interface ReportTable {
  /** Their headings. */
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly string[]>;
}

export function keysTable(
  { report: { generated_at, expired, by_profile }, directory }: ReportView,
  keys: Iterable<ListedKey>,
): ReportTable {
  const now = new Date(generated_at);
  const columns: Columns<ListedKey> = {
    ...(by_profile && { profile: key => String(key.profile) }),
    ID: key => key.id,
    name: key => key.name,
    created: key => dayOf(key.created_at),
    days: key => daysText(key, now),
    ...(expired !== undefined && { expires: key => daysFrom(lifecycleTime(key, 'expires_at'), now) }),
    hint: key => key.partial_key_hint ?? UNTOLD,
    creator: key => directory?.creatorName(shownCreator(key).id) ?? shownCreator(key).id,
    workspace: key => workspaceText(workspaceOf(key), directory),
  };
  return tableOf(columns, keys);
}

/** Those with the most keys that break a policy; `undefined`: no key does. */
export function peopleTable({ breaches, directory }: ReportView) {
  const people = breachesByPerson(breaches);
  if (people.length === 0) return undefined;
  const columns: Columns<PersonsBreaches> = {
    creator: ({ creator: { id } }) => directory?.creatorName(id) ?? id,
    ...(directory && { mail: ({ creator: { id } }) => directory.creator(id)?.mail ?? '' }),
    keys: ({ keys }) => number(keys),
    break: policyCounts,
  };
  const shown = people.slice(0, MAX_SHOWN);
  return { ...tableOf(columns, shown), more: people.length - shown.length };
}

function tableOf<Row>(columns: Columns<Row>, rows: Iterable<Row>): ReportTable {
  const cells = Object.values(columns);
  const texts = function* () {
    for (const row of rows) yield cells.map(cell => cell(row));
  };
  return { columns: Object.keys(columns), rows: texts() };
}

/** In code points. A report is read, and anybody may choose a name of 1,000; JSON and CSV have all of it. */
const MAX_NAME = 60;

export function cutName(text: string): string {
  const characters = text.length <= MAX_NAME ? [] : Array.from(text);
  return characters.length <= MAX_NAME ? text : `${characters.slice(0, MAX_NAME - 3).join('')}...`;
}
