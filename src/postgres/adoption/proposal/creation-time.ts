import type { Column } from '../catalogue/catalogue.ts';
import { namedLike } from '../catalogue/column-names.ts';
import { TIME_UNITS, type TimeUnit } from '../mapping/mapping.ts';
import { identifier } from '../mapping/table-name.ts';
import { type Choice, presentValues, undecided } from './choice.ts';

const NAMES =
  'created_at created created_on created_time created_date creation_time creation_date creation date_created time_created ' +
  'create_time create_date inserted_at inserted issued_at issued added_at date_added iat ctime created_ts created_timestamp ' +
  'created_m created_ms created_at_m created_at_ms timestamp';

export function chooseCreationTime(columns: readonly Column[]): Choice {
  const [column] = namedLike(columns, NAMES.split(' ')).filter(({ kind }) => kind in FROM_KIND);
  return column
    ? creationTimeOf(column)
    : undecided('name the column with the time at which the key was made');
}

/** The column's value as a `timestamptz`. */
export function creationTimeOf(column: Column): Choice {
  return (FROM_KIND[column.kind] ?? refused)(column);
}

const FROM_KIND: Readonly<Partial<Record<Column['kind'], (column: Column) => Choice>>> = {
  timestamptz: column => withoutNull(column, identifier(column.name), 'its name and type', true),
  timestamp: column =>
    withoutNull(
      column,
      inUtc(identifier(column.name)),
      `its name; ${column.type} is read as UTC`,
      true,
      'the column has no zone: UTC is assumed',
    ),
  date: column =>
    withoutNull(
      column,
      inUtc(`${identifier(column.name)}::timestamp`),
      'its name; a date is read as midnight in UTC',
      true,
      'the column has days only: midnight in UTC',
    ),
  integer: fromNumber,
  number: fromNumber,
};

function refused({ type }: Column): Choice {
  return undecided(`a column of the type ${type} is no time: give SQL that makes a timestamptz of it`);
}

function inUtc(sql: string): string {
  return `(${sql} AT TIME ZONE 'UTC')`;
}

const EARLIEST = `timestamptz '1970-01-01 00:00:00+00'`;
const NULL_NOTE = 'NULL is listed as of 1970';

function withoutNull(column: Column, sql: string, why: string, sure: boolean, note?: string): Choice {
  if (!column.isNullable)
    return {
      source: sql === identifier(column.name) ? { column: column.name } : { sql, ...(note && { note }) },
      sure,
      why,
    };
  const notes = [note, NULL_NOTE].filter(Boolean).join('; ');
  return { source: { sql: `coalesce(${sql}, ${EARLIEST})`, note: notes }, sure, why: `${why}; ${NULL_NOTE}` };
}

/** A number since 1970 tells its unit by its size: from 1973 to 5138 no two units have the same numbers. */
const FIRST_OF_UNIT: readonly (readonly [TimeUnit, number])[] = [
  ['ns', 1e17],
  ['us', 1e14],
  ['ms', 1e11],
  ['s', 1e8],
];

function fromNumber(column: Column): Choice {
  const values = presentValues(column).map(Number);
  const units = new Set(values.map(value => FIRST_OF_UNIT.find(([, first]) => value >= first)?.[0]));
  const [unit] = units;
  if (unit === undefined || units.size > 1) {
    const why = values.length === 0 ? 'no value tells its unit' : 'its values are not all of one unit';
    const source = { column: column.name, unit: unit ?? 's' } as const;
    const todo = `${why}: s, ms, us or ns since 1970? Set "unit" and delete this "todo"`;
    return { source: { ...source, todo }, sure: false, why: todo };
  }
  const why = `its name; numbers of this size are ${unit} since 1970`;
  if (!column.isNullable) return { source: { column: column.name, unit }, sure: true, why };
  const sql = `to_timestamp(${identifier(column.name)} / ${TIME_UNITS[unit]}.0)`;
  return withoutNull(column, sql, why, true);
}
