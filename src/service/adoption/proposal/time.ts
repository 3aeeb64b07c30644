import { TIME_UNITS } from '../../postgres/vendor-table/source.ts';
import { identifier } from '../../postgres/vendor-table/table-name.ts';
import type { Column } from '../catalogue/catalogue.ts';
import { type Choice, presentValues, undecided } from './choice.ts';

export function creationTimeOf(column: Column): Choice {
  const { name, kind, type, isNullable } = column;
  if (kind !== 'timestamptz' && kind !== 'timestamp')
    return undecided(
      `${name} is of the type ${type}: give SQL that makes a timestamptz of it, such as to_timestamp(${identifier(name)} / 1000.0) of milliseconds`,
    );
  const time = kind === 'timestamp' ? ofTimestamp(column) : identifier(name);
  const sql = isNullable ? `coalesce(${time}, timestamptz '1970-01-01 00:00:00+00')` : time;
  return timeChoice(column, sql, [
    ...(kind === 'timestamp' ? [UTC] : []),
    ...(isNullable ? ['NULL is listed as of 1970'] : []),
  ]);
}

const UTC = 'the column has no zone: UTC is assumed';
const ofTimestamp = ({ name }: Column) => `(${identifier(name)} AT TIME ZONE 'UTC')`;

function timeChoice({ name, kind }: Column, sql: string, notes: readonly string[]): Choice {
  const why = ['its name and type', ...notes].join('; ');
  const source = notes.length === 0 ? { column: name } : { sql, note: notes.join('; ') };
  return { source, sure: kind === 'timestamptz' || kind === 'timestamp', why };
}

/** What a column of each kind is as a time that may be NULL, and what is assumed for that. */
const asTime: {
  readonly [Kind in Column['kind']]?: (column: Column) => [sql: string, note?: string] | null;
} = {
  timestamptz: ({ name }) => [identifier(name)],
  timestamp: column => [ofTimestamp(column), UTC],
  date: ({ name }) => [`(${identifier(name)}::timestamp AT TIME ZONE 'UTC')`, 'the start of that day in UTC'],
  number: column => {
    const unit = unitOf(column);
    const sql = unit && `to_timestamp(${identifier(column.name)} / ${TIME_UNITS[unit]}.0)`;
    return sql ? [sql, `by its values it is in ${unit}`] : null;
  },
};

/** The time by this column alone, which is NULL where there is none, such as for a key that was never used. */
export function optionalTimeOf(column: Column): Choice {
  const [time, note] = asTime[column.kind]?.(column) ?? [];
  if (time === undefined)
    return undecided(
      `${column.name} is of the type ${column.type}: give SQL that makes a timestamptz of it, or leave the field out`,
    );
  const hasNever = column.kind === 'number' || presentValues(column).some(value => NEVER.test(value));
  const sql = hasNever
    ? `CASE WHEN ${time} >= ${FIRST} AND ${time} < timestamptz 'infinity' THEN ${time} END`
    : time;
  return timeChoice(column, sql, [...(note ? [note] : []), ...(hasNever ? [NEVER_NOTE] : [])]);
}

/** What stands for no time where a column can't be NULL: zero of Unix, of Go, -1, infinity. */
const NEVER = /^(?:-?infinity$|0|19[0-6]|1970)/;
const FIRST = `timestamptz '1971-01-01 00:00:00+00'`;
const NEVER_NOTE = 'a time before 1971, or infinity, is none';

/** In seconds since 1970: from 1979 on, so that no number is a time in two units. */
const [EARLIEST, END] = [3e8, 3e11];

function unitOf(column: Column) {
  const numbers = presentValues(column)
    .map(Number)
    .filter(number => !(number <= 0));
  const units = Object.entries(TIME_UNITS) as [keyof typeof TIME_UNITS, number][];
  const [unit] =
    units.find(([, of]) => numbers.every(each => each >= EARLIEST * of && each < END * of)) ?? [];
  return numbers.length > 0 ? unit : undefined;
}
