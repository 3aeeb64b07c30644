import type { ApiKeyRecord } from '../../client/client.ts';
import { declaredColumns, declaredText } from '../../formats/declared-columns.ts';
import { CSV_COLUMNS } from '../../formats/render-csv.ts';
import { DEFAULT_WORKSPACE } from '../../report/sections.ts';
import { parseStatus, type Status } from '../../roster/api-key.ts';
import { Refused } from '../../roster/errors.ts';
import { UsageError } from '../options/usage-error.ts';
import { coloured, type Style } from '../terminal/colour.ts';

interface Column {
  /** As in CSV. */
  readonly name: string;
  readonly heading: string;
  readonly cell: (key: ApiKeyRecord) => string;
  /** On a terminal; absent or `undefined`: plain. */
  readonly style?: (key: ApiKeyRecord) => Style | undefined;
}

const statusColours = {
  active: 'green',
  inactive: 'yellow',
  archived: 'gray',
} as const satisfies Record<Status, Style>;

/** A newer service may have statuses that aren't in the table. */
function colourOf({ status }: ApiKeyRecord): Style | undefined {
  const known = parseStatus(status);
  return known && statusColours[known];
}

/** The table that `list` prints. Its first column is never cut: the ID is there to be copied. */
const byDefault: readonly Column[] = [
  { name: 'id', heading: 'ID', cell: key => key.id },
  { name: 'name', heading: 'NAME', cell: key => key.name },
  { name: 'status', heading: 'STATUS', cell: key => key.status, style: colourOf },
  { name: 'created_at', heading: 'CREATED', cell: key => key.created_at },
  { name: 'created_by.id', heading: 'CREATOR', cell: key => key.created_by.id },
  { name: 'workspace_id', heading: 'WORKSPACE', cell: key => key.workspace_id ?? DEFAULT_WORKSPACE },
  { name: 'partial_key_hint', heading: 'HINT', cell: key => key.partial_key_hint },
];

const CREATOR_TYPE: Column = {
  name: 'created_by.type',
  heading: 'CREATOR TYPE',
  cell: key => key.created_by.type,
};

/** The columns of the table: these, or the usual ones. */
export function tableColumns(names: readonly string[] | undefined): readonly Column[] {
  if (names === undefined) return byDefault;
  return names.map(
    name =>
      [...byDefault, CREATOR_TYPE].find(column => column.name === name) ?? {
        name,
        heading: name.toUpperCase(),
        cell: key => declaredText(key, name),
      },
  );
}

/** The names that `--columns` gives. */
export function columnNames(text: string): string[] {
  const names = text.split(',');
  if (new Set(names).size < names.length) throw new UsageError('--columns: must name each column once');
  return names;
}

/** Throws `Refused` when the records have no such field: a name with a typing error must not be an empty column. */
export function requireColumns(names: readonly string[], record: ApiKeyRecord): void {
  const known = [...CSV_COLUMNS, ...declaredColumns(record)];
  if (names.some(name => !known.includes(name)))
    throw new Refused(`--columns: there are only ${known.join(', ')}`);
}

/** The text of a cell, in the style of its column. */
export function styledCell(key: ApiKeyRecord, text: string, column: Column | undefined): string {
  const style = column?.style?.(key);
  return style === undefined ? text : coloured(style, text);
}
