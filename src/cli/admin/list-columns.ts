import type { ApiKeyRecord } from '../../client/client.ts';
import { DEFAULT_WORKSPACE } from '../../report/sections.ts';
import { parseStatus, type Status } from '../../roster/api-key.ts';
import { coloured, type Style } from '../terminal/colour.ts';

interface Column {
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
const columns: readonly Column[] = [
  { heading: 'ID', cell: key => key.id },
  { heading: 'NAME', cell: key => key.name },
  { heading: 'STATUS', cell: key => key.status, style: colourOf },
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
