/** The rows of a file of people, whatever its form: CSV, JSON, JSON Lines, or the answer of an API. */
import { csvTextRows } from '../../shared/formats/csv-text.ts';
import { exactText } from '../../shared/formats/render-csv.ts';
import { Refused } from '../../shared/record/faults.ts';
import { isObject } from '../../shared/record/fields.ts';
import { parsedJson } from '../../shared/record/parsed-json.ts';
import { foldedText, haveMail, nameSomebody } from './headings.ts';

export interface Row {
  readonly place: string;
  readonly cells: Iterable<Cell>;
}

export type Cell = readonly [heading: string, text: string];

/** Throws `Refused`. */
export function rowsOf(text: string): Iterable<Row> {
  if (text.trim() === '') throw new Refused('is empty');
  if (/^\s*</.test(text)) throw new Refused('is HTML or XML: export CSV or JSON');
  return /^\s*[[{]/.test(text) ? jsonRows(text) : csvRows(text);
}

/** Above the headings there may be a title, when it was made, and `sep=;`. */
const MAX_TITLE_ROWS = 10;

function* csvRows(text: string): Generator<Row> {
  const lines = text.split(/\r?\n/, MAX_TITLE_ROWS);
  const cellsOf = (line: string) => line.split(/[,;\t]/).map(cell => cell.replaceAll('"', ''));
  const titles = Math.max(
    0,
    lines.findIndex(line => nameSomebody(cellsOf(line))),
  );
  let start = 0;
  for (let title = 0; title < titles; title++) start = text.indexOf('\n', start) + 1;
  let headings: readonly string[] | undefined;
  for (const { line, cells } of csvTextRows(text.slice(start))) {
    if (headings === undefined) headings = cells;
    else if (cells.some(cell => cell.trim() !== '')) {
      const place = `line ${titles + line}`;
      if (cells.length !== headings.length)
        throw new Refused(`${place}: must have as many columns as the headings in line ${titles + 1}`);
      yield { place, cells: headings.map((heading, index) => [heading, exactText(cells[index] ?? '')]) };
    }
  }
}

function* jsonRows(text: string): Generator<Row> {
  for (const [index, entry] of peopleIn(jsonOf(text)).entries()) {
    const place = `entry ${index + 1}`;
    if (!isObject(entry)) throw new Refused(`${place}: must be an object`);
    yield { place, cells: membersOf(entry) };
  }
}

/** Of JSON Lines a list. */
const jsonOf = (text: string): unknown => parsedJson(text) ?? text.split('\n').flatMap(jsonOfLine);

function jsonOfLine(line: string, index: number): readonly unknown[] {
  const json = parsedJson(line);
  if (json !== undefined || line.trim() === '') return json === undefined ? [] : [json];
  throw new Refused(index === 0 ? 'is not JSON' : `line ${index + 1}: is not JSON`);
}

/** The list in the answer of an API, however it is called there. */
function peopleIn(json: unknown): readonly unknown[] {
  if (isObject(json) && nameSomebody(Object.keys(json))) return [json];
  const around = [['', json] as const, ...membersAround(json)];
  const lists = around.map(([, value]) => value).filter(value => Array.isArray(value));
  const most = lists.reduce((max, { length }) => Math.max(max, length), 0);
  const hasFlag = around.some(([name]) => foldedText(name) === 'hasmore'); // beside it a cursor is there on the last page too
  if (
    around.some(
      ([name, value]) => goesOn(foldedText(name), value, most) || (name === 'cursor' && value && !hasFlag),
    )
  )
    throw new Refused('is one page of more: get all pages, and put their entries into one list');
  const listWhere = (passes: (headings: readonly string[]) => boolean) =>
    lists.find(([first]) => isObject(first) && passes(Array.from(membersOf(first), ([name]) => name)));
  const found = listWhere(haveMail) ?? listWhere(nameSomebody) ?? lists.find(list => list.every(isObject));
  if (found) return found;
  throw new Refused('must be a list of objects, or CSV with a heading');
}

/** Deeper than any answer that has people, and few enough to be walked by calls. */
const MAX_DEPTH = 6;
const NEXT = /^(odata)?next|^has(more|next)|^more$|truncated$/;
const PAGES = /pages$|pagecount$|^lastpage$/;
const TOTAL = /^total|count$/;

/** Whether a member tells that an answer goes on, by the usual names of it, or has more than so many entries. */
function goesOn(name: string, value: unknown, most: number): boolean {
  if (NEXT.test(name)) return Boolean(value) && !Array.isArray(value);
  const max = PAGES.test(name) ? 1 : TOTAL.test(name) ? most : Infinity;
  return typeof value !== 'object' && Number(value) > max;
}

/** Those of objects that are in no list. */
function* membersAround(json: unknown, depth = 0): Generator<readonly [name: string, value: unknown]> {
  if (!isObject(json) || depth > MAX_DEPTH) return;
  for (const member of Object.entries(json)) {
    yield member;
    yield* membersAround(member[1], depth + 1);
  }
}

/** All that an object has, by its path, such as `profile.email`. Of a list it is the entry that is primary, or the first. */
function* membersOf(object: Record<string, unknown>, path = '', depth = 0): Generator<Cell> {
  for (const [name, member] of Object.entries(object)) {
    const isPrimary = (each: unknown) => isObject(each) && each.primary === true;
    const value = Array.isArray(member) ? (member.find(isPrimary) ?? member[0]) : member;
    if (isObject(value)) {
      if (depth < MAX_DEPTH) yield* membersOf(value, `${path}${name}.`, depth + 1);
    } else if (!Array.isArray(value)) yield [path + name, String(value ?? '')];
  }
}
