import { csvTextRows } from '../../shared/formats/csv-text.ts';
import { exactText } from '../../shared/formats/render-csv.ts';
import { type Fault, problemTexts, Refused } from '../../shared/record/faults.ts';
import { Fields, isObject, printableName } from '../../shared/record/fields.ts';
import { OWNER_ID_RULE, parseOwnerId } from '../../shared/record/identifier.ts';
import { parsedJson } from '../../shared/record/parsed-json.ts';
import { parseMoment } from '../../shared/record/timestamp.ts';
import { Directory, type DirectoryEntry, ENTRY_KINDS } from './directory.ts';

/** `ignored`: columns that have no meaning here. A problem names its line and field, and repeats no value. */
export type ParsedDirectory =
  | { readonly directory: Directory; readonly ignored: readonly string[] }
  | { readonly problems: readonly string[] };

export const MAX_PROBLEMS = 10;

/** The fields of an entry, each with other headings that mean it. Case, blanks and dashes make no difference. */
const HEADINGS = {
  id: ['user_id', 'creator_id', 'workspace_id'],
  kind: ['type'],
  name: ['full_name', 'display_name'],
  mail: ['email', 'e_mail', 'mail_address', 'email_address'],
  team: ['department', 'group'],
  left_on: ['left', 'left_at', 'leaves_on', 'leaving_date', 'end_date', 'termination_date'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type Field = keyof typeof HEADINGS;
const FIELDS = new Map(
  Object.entries(HEADINGS).flatMap(([field, others]) =>
    [field, ...others].map(heading => [heading, field as Field] as const),
  ),
);

const nameText = (text: string) => text.trim().toLowerCase().replaceAll(/[\s-]+/g, '_'); // biome-ignore format: one line

const kindOf = (value: unknown) =>
  ENTRY_KINDS.find(kind => kind === nameText(String(value)).replace('user', 'person'));
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const mailOf = (value: unknown) => (/^[^@\s]+@[^@\s]+$/.test(String(value)) ? String(value) : undefined);

/** An entry by the headings of the file. */
interface Row {
  readonly place: string;
  readonly headings: readonly string[];
  readonly values: readonly unknown[];
}

/** @param text of a CSV file with a heading, or of a JSON file with a list of objects. */
export function parseDirectory(text: string): ParsedDirectory {
  const steps = directorySteps(text);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** A row in each step, so that a page can draw between them. */
export function* directorySteps(text: string): Generator<undefined, ParsedDirectory> {
  const content = text.replace(/^\uFEFF/, '');
  const faults: Fault[] = [];
  const meanings = new Map<string, Field | undefined>();
  const places = new Map<string, string>();
  const isJson = /^\s*[[{]/.test(content);
  const entries: DirectoryEntry[] = [];
  for (const row of (isJson ? jsonRows : csvRows)(content, faults)) {
    const fields = fieldsOf(row, isJson ? row.place : 'line 1', meanings, faults);
    const id = fields.read('id', parseOwnerId, OWNER_ID_RULE);
    const same = id && places.get(id);
    if (same) faults.push({ field: row.place, problem: `id: is that of ${same} too: leave one` });
    places.set(id, row.place);
    entries.push({
      id,
      kind: fields.readOr('kind', kindOf, `must be one of ${ENTRY_KINDS.join(', ')}, or empty`, undefined),
      name: fields.readOr('name', textOf, 'must be a text', undefined),
      mail: fields.readOr('mail', mailOf, 'must be a mail address, or empty', undefined),
      team: fields.readOr('team', textOf, 'must be a text', undefined),
      leftOn: fields.readOr('left_on', parseMoment, 'must be a day such as 2026-03-01, or empty', undefined),
    });
    yield;
  }
  const known = new Set(meanings.values());
  const told = (headings: Iterable<string>) => [...new Set(Array.from(headings, printableHeading))];
  if (meanings.size > 0 && !known.has('id'))
    return { problems: [`id: is missing: the headings are ${told(meanings.keys()).join(', ')}`] };
  if (faults.length === 0 && entries.length === 0) faults.push({ field: null, problem: 'has no entry' });
  const problems = [...new Set(problemTexts(faults))];
  const more = problems.length - MAX_PROBLEMS;
  if (more > 0) problems.splice(MAX_PROBLEMS, more, `and ${more} more`);
  if (problems.length > 0) return { problems };
  const ignored = [...meanings.keys()].filter(heading => meanings.get(heading) === undefined);
  return { directory: new Directory(entries, known.has('left_on')), ignored: told(ignored) };
}

function* csvRows(content: string, faults: Fault[]): Generator<Row> {
  if (content === '') faults.push({ field: null, problem: 'is empty' });
  let names: readonly string[] | undefined;
  try {
    for (const { line, cells } of csvTextRows(content)) {
      if (names === undefined) names = cells;
      else if (cells.some(cell => cell.trim() !== '')) {
        const place = `line ${line}`;
        if (cells.length !== names.length)
          faults.push({ field: place, problem: 'must have as many columns as the heading' });
        yield { place, headings: names, values: cells.map(exactText) };
      }
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    faults.push({ field: null, problem: error.message });
  }
}

function jsonRows(content: string, faults: Fault[]): Row[] {
  const json = parsedJson(content);
  if (Array.isArray(json) && json.every(isObject))
    return json.map((entry, index) => ({
      place: `entry ${index + 1}`,
      headings: Object.keys(entry),
      values: Object.values(entry),
    }));
  const problem = json === undefined ? 'is not JSON' : 'must be a list of objects, or CSV with a heading';
  faults.push({ field: null, problem });
  return [];
}

/** It may have blanks, and be in any language. A file without a heading has values there, and more digits. */
const HEADING = /^(?!(?:.*\d){3})\p{L}[\p{L}\p{M}\d _./()[\]-]{0,31}$/u;
const printableHeading = (text: string) => (HEADING.test(text) ? text : printableName(text));

/** @param meanings of the headings so far: each is decided once, however many rows have it. */
function fieldsOf(
  { place, headings, values }: Row,
  headingPlace: string,
  meanings: Map<string, Field | undefined>,
  faults: Fault[],
): Fields {
  const members: Record<string, unknown> = {};
  const seen = new Set<string>();
  for (const [index, heading] of headings.entries()) {
    if (!meanings.has(heading)) meanings.set(heading, FIELDS.get(nameText(heading)));
    const name = meanings.get(heading);
    if (name === undefined) continue;
    const value = values[index] ?? null;
    if (seen.has(name))
      faults.push({
        field: `${headingPlace}: ${printableHeading(heading)}`,
        problem: `is a second ${name}: leave one`,
      });
    else if (value !== null && value !== '') members[name] = typeof value === 'string' ? value.trim() : value;
    seen.add(name);
  }
  return new Fields(members, `${place}: `, faults);
}
