import type { ApiKeyRecord } from '../../client/client.ts';
import { DEFAULT_WORKSPACE } from '../../report/sections.ts';
import type { Status } from '../../roster/api-key.ts';
import { coloured, type Style } from '../terminal/colour.ts';

interface Column {
  readonly heading: string;
  readonly cell: (key: ApiKeyRecord) => string;
  /** On a terminal; absent: plain. */
  readonly style?: (key: ApiKeyRecord) => Style;
}

const statusColours = {
  active: 'green',
  inactive: 'yellow',
  archived: 'gray',
} as const satisfies Record<Status, Style>;

/** The table that `list` prints. Its first column is never cut: the ID is there to be copied. */
const columns: readonly Column[] = [
  { heading: 'ID', cell: key => key.id },
  { heading: 'NAME', cell: key => key.name },
  { heading: 'STATUS', cell: key => key.status, style: key => statusColours[key.status] },
  { heading: 'CREATED', cell: key => key.created_at },
  { heading: 'CREATOR', cell: key => key.created_by.id },
  { heading: 'WORKSPACE', cell: key => key.workspace_id ?? DEFAULT_WORKSPACE },
  { heading: 'HINT', cell: key => key.partial_key_hint },
];

export const HEADINGS = columns.map(({ heading }) => heading);

export function rowOf(key: ApiKeyRecord): string[] {
  return columns.map(({ cell }) => cell(key));
}

/** The text of a cell, in the style of its column. */
export function styledCell(key: ApiKeyRecord, text: string, column: number): string {
  const style = columns[column]?.style?.(key);
  return style === undefined ? text : coloured(style, text);
}
