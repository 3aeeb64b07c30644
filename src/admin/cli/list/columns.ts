import { type ListedKey, UNTOLD, workspaceOf } from '../../../client/listed-key.ts';
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
import { shownCreator } from '../../report/creator.ts';
import { dayOf, workspaceText } from '../../report/sections.ts';

/** Its name is that in CSV. */
type Column = TableColumn<ListedKey>;

/** A newer service may have statuses that aren't in it. */
const statusColours: ReadonlyMap<string, Style> = new Map(
  Object.entries({
    active: 'green',
    inactive: 'yellow',
    archived: 'gray',
    expired: 'red',
  } satisfies Record<Status | 'expired', Style>),
);

const statusOf = (key: ListedKey) => shownStatus(key, Date.now());

/** An ID is there to be copied; a status or an age that is cut says nothing. */
const whole = (min = 0) => ({ cut: 'nothing', min }) as const;
/** Both ends of a name or of an ID tell something. */
const inMiddle = (min: number) => ({ cut: 'middle', min }) as const;

/** Enough of an ID to tell it from others, and to find it by: `user_0…CK46B`. Names are as wide as they are. */
const shortId = (directory?: Directory) => ({ ...inMiddle(12), ...(!directory && { first: 13 }) });

/** Later pages have older keys: their ages need as much room as 9999d. */
const AGE_WIDTH = 5;
/** The same of a time: `999d ago`. */
const TIME_WIDTH = 8;

/** How many a hint shows of the end of its key. */
const LAST_CHARACTERS = 4;

/** The columns of a table, by their names, in their order. Names of a directory stand where IDs stood. */
const columnsOf = (directory?: Directory) =>
  ({
    id: { heading: 'ID', cell: key => key.id, ...whole() },
    name: { heading: 'NAME', cell: key => key.name, ...inMiddle(9) },
    status: {
      heading: 'STATUS',
      cell: statusOf,
      styled: (text, key) => coloured(statusColours.get(statusOf(key)) ?? [], text),
      ...whole(Math.max(...STATUSES.map(({ length }) => length))),
    },
    created_at: { heading: 'CREATED', cell: key => key.created_at ?? UNTOLD, ...whole() },
    age: { heading: 'AGE', cell: ageText, ...whole(AGE_WIDTH) },
    'created_by.id': {
      heading: 'CREATOR',
      cell: key => directory?.creatorName(shownCreator(key).id) ?? shownCreator(key).id,
      ...shortId(directory),
    },
    'created_by.type': { heading: 'CREATOR TYPE', cell: key => shownCreator(key).type, cut: 'end', min: 7 },
    workspace_id: {
      heading: 'WORKSPACE',
      cell: key => workspaceText(workspaceOf(key), directory),
      ...shortId(directory),
    },
    partial_key_hint: {
      heading: 'HINT',
      cell: key => key.partial_key_hint ?? UNTOLD,
      cut: 'start',
      min: ellipsis().length + LAST_CHARACTERS,
    },
  }) satisfies Readonly<Record<CsvColumn | 'age', Omit<Column, 'name'>>>;

type ColumnName = keyof ReturnType<typeof columnsOf>;

/** Those that a table has on a terminal. */
const ON_TERMINAL = (Object.keys(columnsOf()) as ColumnName[]).filter(name => name !== 'created_by.type');
/** Those that it has in a pipe. They stay, as programs cut them by their place. */
const IN_PIPE = ON_TERMINAL.filter(name => name !== 'age');

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
  /** The first column says whose a key is. */
  readonly several?: boolean;
}

/** @param first record, which tells what the others have. */
export function tableColumns(
  { columns: names, more = [], directory, several }: TableOptions,
  first?: ListedKey,
): readonly Column[] {
  if (names !== undefined) return names.map(name => columnOf(name));
  const profile = several ? ['profile'] : [];
  if (!process.stdout.isTTY) return [...profile, ...IN_PIPE, ...more].map(name => columnOf(name));
  // The day is enough there, and its age is what is looked for.
  const day = { ...columnOf('created_at'), cell: (key: ListedKey) => dayOf(key.created_at) };
  const usual = ON_TERMINAL.map(name => (name === 'created_at' ? day : columnOf(name, directory)));
  const times = LIFECYCLE_FIELDS.filter(name => first?.[name] !== undefined).map(timeColumn);
  return [
    ...profile.map(name => columnOf(name)),
    ...usual.toSpliced(ON_TERMINAL.indexOf('age') + 1, 0, ...times),
    ...more.map(name => columnOf(name)),
  ];
}

/** How far the time is from now. */
function timeColumn(name: LifecycleField): Column {
  const cell = (key: ListedKey) => daysFrom(lifecycleTime(key, name), new Date());
  return { name, heading: name === 'expires_at' ? 'EXPIRES' : 'USED', cell, ...whole(TIME_WIDTH) };
}

/** What only a directory tells of a key; no declared field has a dot in its name. */
export function namesOf(key: ListedKey, directory: Directory) {
  const { id } = shownCreator(key);
  return {
    'creator.name': directory.creatorName(id),
    'creator.mail': directory.creator(id)?.mail ?? '',
    'creator.team': directory.creator(id)?.team ?? '',
    'creator.manager': directory.creator(id)?.manager ?? '',
    'workspace.name': workspaceOf(key) ? workspaceText(workspaceOf(key), directory) : '',
  };
}

/** One that isn't in the table is a declared field, or that of a newer service. */
export function columnOf(name: string, directory?: Directory): Column {
  const columns: Readonly<Record<string, Omit<Column, 'name'>>> = columnsOf(directory);
  const declared = { heading: name.toUpperCase(), cell: (key: ListedKey) => declaredText(key, name) };
  return { name, cut: 'end', min: 7, ...declared, ...(Object.hasOwn(columns, name) && columns[name]) };
}

function ageText(key: ListedKey): string {
  const ageMs = ageOf(key.created_at, new Date());
  return Number.isNaN(ageMs) ? UNTOLD : `${daysOld(ageMs)}d`;
}
