import type { ApiKeyRecord } from '../../../client/client.ts';
import { coloured, type Style } from '../../../shared/command/terminal/capabilities.ts';
import type { TableColumn } from '../../../shared/command/terminal/fitted-columns.ts';
import { ellipsis } from '../../../shared/command/terminal/fitted-table.ts';
import { type CsvColumn, declaredText } from '../../../shared/formats/render-csv.ts';
import {
  LIFECYCLE_FIELDS,
  type LifecycleField,
  lifecycleTime,
  shownStatus,
} from '../../../shared/record/lifecycle.ts';
import { STATUSES, type Status } from '../../../shared/record/status.ts';
import type { Directory } from '../../directory/directory.ts';
import { ageOf, daysFrom, daysOld } from '../../report/age.ts';
import { DEFAULT_WORKSPACE, dayOf } from '../../report/sections.ts';

/** Its name is that in CSV. */
export interface Column extends TableColumn {
  readonly cell: (key: ApiKeyRecord) => string;
  /** On a terminal; absent or `undefined`: plain. */
  readonly style?: (key: ApiKeyRecord) => Style | undefined;
}

const statusColours = {
  active: 'green',
  inactive: 'yellow',
  archived: 'gray',
  expired: 'red',
} as const satisfies Record<Status | 'expired', Style>;

const statusOf = (key: ApiKeyRecord) => shownStatus(key, Date.now());

/** A newer service may have statuses that aren't in the table. */
function colourOf(key: ApiKeyRecord): Style | undefined {
  const status = statusOf(key);
  return Object.hasOwn(statusColours, status) ? statusColours[status as Status] : undefined;
}

/** An ID is there to be copied; a status or an age that is cut says nothing. */
const whole = (min = 0) => ({ cut: 'nothing', min }) as const;
/** Both ends of a name or of an ID tell something. */
const inMiddle = (min: number) => ({ cut: 'middle', min }) as const;

/** Enough of an ID to tell it from others, and to find it by: `user_0…CK46B`. */
const shortId = { ...inMiddle(12), first: 13 };

/** Later pages have older keys: their ages need as much room as 9999d. */
const AGE_WIDTH = 5;
/** The same of a time: `999d ago`. */
const TIME_WIDTH = 8;

/** The columns of a table, by their names. */
const columns = {
  id: { heading: 'ID', cell: key => key.id, ...whole() },
  name: { heading: 'NAME', cell: key => key.name, ...inMiddle(9) },
  status: {
    heading: 'STATUS',
    cell: statusOf,
    style: colourOf,
    ...whole(Math.max(...STATUSES.map(({ length }) => length))),
  },
  created_at: { heading: 'CREATED', cell: key => key.created_at, ...whole() },
  age: { heading: 'AGE', cell: ageText, ...whole(AGE_WIDTH) },
  'created_by.id': { heading: 'CREATOR', cell: key => key.created_by.id, ...shortId },
  'created_by.type': { heading: 'CREATOR TYPE', cell: key => key.created_by.type, cut: 'end', min: 7 },
  workspace_id: {
    heading: 'WORKSPACE',
    cell: key => key.workspace_id ?? DEFAULT_WORKSPACE,
    ...shortId,
  },
  partial_key_hint: {
    heading: 'HINT',
    cell: key => key.partial_key_hint,
    cut: 'start',
    get min() {
      return ellipsis().length + LAST_CHARACTERS;
    },
  },
} as const satisfies Readonly<Record<CsvColumn | 'age', Omit<Column, 'name'>>>;

type ColumnName = keyof typeof columns;

/** Those that a table has in a pipe. They stay, as programs cut them by their place. */
const IN_PIPE: readonly ColumnName[] = [
  'id',
  'name',
  'status',
  'created_at',
  'created_by.id',
  'workspace_id',
  'partial_key_hint',
];
/** Those that it has on a terminal: the day is enough there, and its age is what is looked for. */
const ON_TERMINAL = IN_PIPE.toSpliced(IN_PIPE.indexOf('created_at') + 1, 0, 'age');

/** Columns that a narrow terminal has no room for, in the order in which they are left out. */
export const LEFT_OUT: readonly string[] = [
  'workspace_id',
  'created_by.id',
  'name',
  'created_at',
  'last_used_at',
  'expires_at',
] satisfies (ColumnName | LifecycleField)[];

export interface TableOptions {
  /** Absent: the usual ones; in CSV all of the contract, and the declared fields. */
  readonly columns?: readonly string[] | undefined;
  /** In a table behind the usual ones. */
  readonly more?: readonly string[];
  /** Names stand on a terminal where IDs stood. */
  readonly directory?: Directory | undefined;
}

/** @param first record, which tells what the others have. */
export function tableColumns(
  { columns: names, more = [], directory }: TableOptions,
  first?: ApiKeyRecord,
): readonly Column[] {
  if (names !== undefined) return names.map(name => columnOf(name));
  if (!process.stdout.isTTY) return [...IN_PIPE, ...more].map(name => columnOf(name));
  const day = { ...columnOf('created_at'), cell: (key: ApiKeyRecord) => dayOf(key.created_at) };
  const usual = ON_TERMINAL.map(name => (name === 'created_at' ? day : columnOf(name, directory)));
  const times = LIFECYCLE_FIELDS.filter(name => first?.[name] !== undefined).map(timeColumn);
  return [
    ...usual.toSpliced(ON_TERMINAL.indexOf('age') + 1, 0, ...times),
    ...more.map(name => columnOf(name)),
  ];
}

/** How far the time is from now. */
function timeColumn(name: LifecycleField): Column {
  const cell = (key: ApiKeyRecord) => daysFrom(lifecycleTime(key, name), new Date());
  return { name, heading: name === 'expires_at' ? 'EXPIRES' : 'USED', cell, ...whole(TIME_WIDTH) };
}

/** What only a directory tells of a key; no declared field has a dot in its name. */
export const NAMED = {
  'creator.name': (key, directory) => directory.creatorName(key.created_by.id),
  'creator.mail': (key, directory) => directory.creator(key.created_by.id)?.mail ?? '',
  'creator.team': (key, directory) => directory.creator(key.created_by.id)?.team ?? '',
  'workspace.name': ({ workspace_id: id }, directory) => (id === null ? '' : directory.workspaceName(id)),
} as const satisfies Readonly<Record<string, (key: ApiKeyRecord, directory: Directory) => string>>;

const namedInstead: Readonly<Record<string, keyof typeof NAMED>> = {
  'created_by.id': 'creator.name',
  workspace_id: 'workspace.name',
};

/** Names are as wide as they are, where an ID is short. One that isn't in the table is a declared field, or that of a newer service. */
export function columnOf(name: string, directory?: Directory): Column {
  const { [name]: instead } = namedInstead;
  if (directory && instead) {
    const { heading } = columns[name as ColumnName];
    const cell = (key: ApiKeyRecord) => NAMED[instead](key, directory) || DEFAULT_WORKSPACE;
    return { name, heading, cell, ...inMiddle(12) };
  }
  if (Object.hasOwn(columns, name)) return { name, ...columns[name as ColumnName] };
  return { name, heading: name.toUpperCase(), cell: key => declaredText(key, name), cut: 'end', min: 7 };
}

function ageText({ created_at }: ApiKeyRecord): string {
  const ageMs = ageOf(created_at, new Date());
  return ageMs === undefined ? '?' : `${daysOld(ageMs)}d`;
}

/** How many a hint shows of the end of its key. */
const LAST_CHARACTERS = 4;

/** What a table has besides the columns of CSV. */
export const ONLY_IN_TABLE: readonly string[] = ['age'] satisfies ColumnName[];

/** The text of a cell, in the style of its column. */
export function styledCell(key: ApiKeyRecord, text: string, column: Column): string {
  const style = column.style?.(key);
  return style === undefined ? text : coloured(style, text);
}
