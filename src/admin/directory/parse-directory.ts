import { csvTextRows } from '../../shared/formats/csv-text.ts';
import { duplicateMembers } from '../../shared/formats/duplicate-members.ts';
import { exactText } from '../../shared/formats/render-csv.ts';
import { nameMeant } from '../../shared/nearest-name.ts';
import { type Fault, problemTexts } from '../../shared/record/faults.ts';
import { Fields, isObject, printableName } from '../../shared/record/fields.ts';
import { ID_RULE, parseId } from '../../shared/record/identifier.ts';
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
const NAMES = Object.keys(HEADINGS) as (keyof typeof HEADINGS)[];

const nameText = (text: string) => text.trim().toLowerCase().replaceAll(/[\s-]+/g, '_'); // biome-ignore format: one line

const kindOf = (value: unknown) =>
  ENTRY_KINDS.find(kind => kind === nameText(String(value)).replace('user', 'person'));
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const mailOf = (value: unknown) => (/^[^@\s]+@[^@\s]+$/.test(String(value)) ? String(value) : undefined);

/** An entry by the headings of the file. */
interface Row {
  readonly place: string;
  readonly values: readonly (readonly [heading: string, value: unknown])[];
}

/** @param text of a CSV file with a heading, or of a JSON file with a list of objects. */
export function parseDirectory(text: string): ParsedDirectory {
  const content = text.replace(/^\uFEFF/, '');
  const faults: Fault[] = [];
  const known = new Set<string>();
  const ignored = new Set<string>();
  const places = new Map<string, string>();
  const isJson = /^\s*[[{]/.test(content);
  const entries = (isJson ? jsonRows : csvRows)(content, faults).map((row): DirectoryEntry => {
    const fields = fieldsOf(row, isJson ? row.place : 'line 1', { known, ignored }, faults);
    const id = fields.read('id', parseId, ID_RULE);
    const same = id && places.get(id);
    if (same) faults.push({ field: row.place, problem: `id: is that of ${same} too: leave one` });
    places.set(id, row.place);
    return {
      id,
      kind: fields.readOr('kind', kindOf, `must be one of ${ENTRY_KINDS.join(', ')}, or empty`, undefined),
      name: fields.readOr('name', textOf, 'must be a text', undefined),
      mail: fields.readOr('mail', mailOf, 'must be a mail address, or empty', undefined),
      team: fields.readOr('team', textOf, 'must be a text', undefined),
      leftOn: fields.readOr('left_on', parseMoment, 'must be a day such as 2026-03-01, or empty', undefined),
    };
  });
  if (faults.length === 0 && entries.length === 0) faults.push({ field: null, problem: 'has no entry' });
  const problems = [...new Set(problemTexts(faults))];
  const more = problems.length - MAX_PROBLEMS;
  if (more > 0) problems.splice(MAX_PROBLEMS, more, `and ${more} more`);
  if (problems.length > 0) return { problems };
  return { directory: new Directory(entries, known.has('left_on')), ignored: [...ignored] };
}

function csvRows(content: string, faults: Fault[]): Row[] {
  const [heading, ...lines] = csvTextRows(content) ?? [];
  if (heading === undefined)
    faults.push({
      field: null,
      problem: content === '' ? 'is empty' : 'is not CSV: a quote is never closed',
    });
  const names = heading?.cells ?? [];
  return lines
    .filter(({ cells }) => cells.some(cell => cell.trim() !== ''))
    .map(({ line, cells }) => {
      const place = `line ${line}`;
      if (cells.length !== names.length)
        faults.push({ field: place, problem: 'must have as many columns as the heading' });
      return { place, values: names.map((name, index) => [name, exactText(cells[index] ?? '')]) };
    });
}

function jsonRows(content: string, faults: Fault[]): Row[] {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    faults.push({ field: null, problem: 'is not JSON' });
    return [];
  }
  for (const name of duplicateMembers(content))
    faults.push({ field: printableName(name), problem: 'is there more than once: leave one' });
  if (Array.isArray(json) && json.every(isObject))
    return json.map((entry, index) => ({ place: `entry ${index + 1}`, values: Object.entries(entry) }));
  faults.push({ field: null, problem: 'must be a list of objects, or CSV with a heading' });
  return [];
}

/** It may have blanks, and be in any language. A file without a heading has values there, and more digits. */
const HEADING = /^(?!(?:.*\d){3})\p{L}[\p{L}\p{M}\d _./()-]{0,31}$/u;
const printableHeading = (text: string) => (HEADING.test(text) ? text : printableName(text));

/** A heading that is like one of ours isn't ignored: `lef_on` would be a file in which nobody has left. */
function fieldsOf(
  { place, values }: Row,
  headingPlace: string,
  headings: Readonly<Record<'known' | 'ignored', Set<string>>>,
  faults: Fault[],
): Fields {
  const members: Record<string, unknown> = {};
  const seen = new Set<string>();
  for (const [heading, value] of values) {
    const text = nameText(heading);
    const name = NAMES.find(each => each === text || (HEADINGS[each] as readonly string[]).includes(text));
    const meant = name ?? nameMeant(text, NAMES);
    const fault = (problem: string) =>
      faults.push({ field: `${headingPlace}: ${printableHeading(heading)}`, problem });
    if (meant === undefined) headings.ignored.add(printableHeading(heading));
    else if (name === undefined) fault(`did you mean ${meant}?`);
    else if (seen.has(name)) fault(`is a second ${name}: leave one`);
    else if (value !== null && value !== '') members[name] = typeof value === 'string' ? value.trim() : value;
    seen.add(name ?? '');
    headings.known.add(name ?? '');
  }
  return new Fields(members, `${place}: `, faults);
}
