import { csvTextRows } from '../../shared/formats/csv-text.ts';
import { duplicateMembers } from '../../shared/formats/duplicate-members.ts';
import { exactText } from '../../shared/formats/render-csv.ts';
import { nameMeant } from '../../shared/nearest-name.ts';
import { isObject, printableName } from '../../shared/record/fields.ts';
import { ID_RULE, parseId } from '../../shared/record/identifier.ts';
import { parseMoment } from '../../shared/record/timestamp.ts';
import { Directory, type DirectoryEntry, ENTRY_KINDS, type EntryKind } from './directory.ts';

/** The directory of a file, or what is wrong with it, each with its line and field, at most `MAX_PROBLEMS`. No value is repeated. */
export type ParsedDirectory =
  | {
      readonly directory: Directory /** Columns that have no meaning here. */;
      readonly ignored: readonly string[];
    }
  | { readonly problems: readonly string[] };

export const MAX_PROBLEMS = 10;

interface Field<Value> {
  /** Other headings that mean it, in the form of `headingOf`. */
  readonly aliases: readonly string[];
  readonly parse: (text: string) => Value | undefined;
  readonly rule: string;
}

const text = { parse: (value: string) => value, rule: 'must be a text' };

/** Each field of an entry by its heading. */
const FIELDS = {
  id: { aliases: ['user_id', 'creator_id', 'workspace_id'], parse: value => parseId(value), rule: ID_RULE },
  kind: { aliases: ['type'], parse: kindOf, rule: `must be one of ${ENTRY_KINDS.join(', ')}, or empty` },
  name: { aliases: ['full_name', 'display_name'], ...text },
  mail: {
    aliases: ['email', 'e_mail', 'mail_address', 'email_address'],
    parse: value => (/^[^@\s]+@[^@\s]+$/.test(value) ? value : undefined),
    rule: 'must be a mail address, or empty',
  },
  team: { aliases: ['department', 'group'], ...text },
  left_on: {
    aliases: ['left', 'left_at', 'leaves_on', 'end_date'],
    parse: parseMoment,
    rule: 'must be a day such as 2026-03-01, or empty',
  },
} as const satisfies Readonly<Record<string, Field<string | number>>>;

type FieldName = keyof typeof FIELDS;
const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

const headingOf = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

function isHeadingOf(name: FieldName, heading: string): boolean {
  const { aliases }: Field<unknown> = FIELDS[name];
  return heading === name || aliases.includes(heading);
}

/** `Service account`, `user`. */
function kindOf(value: string): EntryKind | undefined {
  const kind = headingOf(value) === 'user' ? 'person' : headingOf(value);
  return ENTRY_KINDS.find(known => known === kind);
}

/** @param file the text of a CSV file with a heading, or of a JSON file with a list of objects. */
export function parseDirectory(file: string): ParsedDirectory {
  const content = file.replace(/^\uFEFF/, '');
  const problems: string[] = [];
  const { rows, ignored } = /^\s*[[{]/.test(content)
    ? jsonRows(content, problems)
    : csvRows(content, problems);
  const entries = problems.length > 0 ? [] : entriesOf(rows, problems);
  if (problems.length === 0 && entries.length === 0) problems.push('has no entry');
  const more = problems.length - MAX_PROBLEMS;
  if (more > 0) return { problems: [...problems.slice(0, MAX_PROBLEMS), `and ${more} more`] };
  return problems.length > 0 ? { problems } : { directory: new Directory(entries), ignored };
}

/** The texts of an entry, and its place in the file. */
interface Row {
  readonly place: string;
  readonly texts: ReadonlyMap<FieldName, unknown>;
}

interface Rows {
  readonly rows: readonly Row[];
  readonly ignored: readonly string[];
}

function csvRows(content: string, problems: string[]): Rows {
  const [heading, ...lines] = csvTextRows(content) ?? [];
  if (heading === undefined) {
    problems.push(content.trim() === '' ? 'is empty' : 'is not CSV: a quote is never closed');
    return { rows: [], ignored: [] };
  }
  const columns = columnsOf(heading.cells, 'line 1', problems);
  const rows = lines.filter(({ cells }) => cells.some(cell => cell.trim() !== ''));
  for (const { line, cells } of rows)
    if (cells.length !== columns.names.length)
      problems.push(`line ${line}: must have as many columns as the heading`);
  const rowOf = ({ line, cells }: (typeof rows)[number]) => ({
    place: `line ${line}`,
    texts: textsOf(columns.names, cells.map(exactText)),
  });
  return { rows: rows.map(rowOf), ignored: columns.ignored };
}

function jsonRows(content: string, problems: string[]): Rows {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    problems.push('is not JSON');
    return { rows: [], ignored: [] };
  }
  if (!Array.isArray(json)) problems.push('must be a list of objects, or CSV with a heading');
  for (const name of duplicateMembers(content))
    problems.push(`${printableName(name)}: is there more than once: leave one`);
  const ignored = new Set<string>();
  const rows = (Array.isArray(json) ? json : []).map((entry: unknown, index) => {
    const place = `entry ${index + 1}`;
    if (!isObject(entry)) problems.push(`${place}: must be an object`);
    const members = isObject(entry) ? entry : { id: null };
    const columns = columnsOf(Object.keys(members), place, problems);
    for (const name of columns.ignored) ignored.add(name);
    return { place, texts: textsOf(columns.names, Object.values(members)) };
  });
  return { rows, ignored: [...ignored] };
}

/** A heading that is like one of ours isn't ignored: `lef_on` would be a file in which nobody has left. */
function columnsOf(headings: readonly string[], place: string, problems: string[]) {
  const ignored: string[] = [];
  const names = headings.map(heading => {
    const known = FIELD_NAMES.find(name => isHeadingOf(name, headingOf(heading)));
    const meant = known === undefined ? nameMeant(headingOf(heading), FIELD_NAMES, 0.25) : undefined;
    if (meant !== undefined) problems.push(`${place}: ${printableName(heading)}: did you mean ${meant}?`);
    if (known === undefined) ignored.push(printableName(heading));
    return known;
  });
  for (const name of FIELD_NAMES)
    if (names.indexOf(name) !== names.lastIndexOf(name))
      problems.push(`${place}: ${name}: is there more than once: leave one`);
  if (!names.includes('id')) problems.push(`${place}: id: is missing`);
  return { names, ignored };
}

function textsOf(names: readonly (FieldName | undefined)[], values: readonly unknown[]): Row['texts'] {
  return new Map(
    names.flatMap((name, index) => (name === undefined ? [] : [[name, values[index] ?? ''] as const])),
  );
}

function entriesOf(rows: readonly Row[], problems: string[]): DirectoryEntry[] {
  const places = new Map<string, string>();
  return rows.map(({ place, texts }) => {
    const read = <Name extends FieldName>(name: Name) => {
      const value = texts.get(name) ?? '';
      const given = typeof value === 'string' ? value.trim() : undefined;
      if (given === '' && name !== 'id') return undefined;
      const { parse, rule }: Field<string | number> = FIELDS[name];
      const parsed = given === undefined ? undefined : parse(given);
      if (parsed === undefined) problems.push(`${place}: ${name}: ${rule}`);
      return parsed as ReturnType<(typeof FIELDS)[Name]['parse']>;
    };
    const id = read('id') ?? '';
    const same = places.get(id);
    if (same !== undefined) problems.push(`${place}: id: is that of ${same} too: leave one`);
    if (id !== '') places.set(id, place);
    return {
      id,
      kind: read('kind'),
      name: read('name'),
      mail: read('mail'),
      team: read('team'),
      leftOn: read('left_on'),
    };
  });
}
