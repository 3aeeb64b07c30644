import { TIME_UNITS } from '../../../service/postgres/vendor-table/source.ts';
import { identifier } from '../../../service/postgres/vendor-table/table-name.ts';
import type { Column } from '../catalogue/catalogue.ts';
import { type Choice, presentValues, undecided } from './proposed-source.ts';

export function creationTimeOf(column: Column): Choice {
  const [time, ...notes] = timeIn(column);
  if (time === undefined) return undecided(unknown(column));
  if (!column.isNullable) return timeChoice(column, time, notes);
  const sql = `coalesce(${time}, timestamptz '1970-01-01 00:00:00+00')`;
  return timeChoice(column, sql, [...notes, 'NULL is listed as of 1970']);
}

/** A time that is NULL where there is none, such as for a key that was never used. */
export function optionalTimeOf(column: Column): Choice {
  const [time, ...notes] = timeIn(column);
  if (time === undefined) return undecided(`${unknown(column)}, or leave the field out`);
  const hasNever = column.kind === 'number' || presentValues(column).some(value => NEVER.test(value));
  if (!hasNever) return timeChoice(column, time, notes);
  const sql = `CASE WHEN ${time} >= timestamptz '1971-01-01 00:00:00+00' AND ${time} < timestamptz 'infinity' THEN ${time} END`;
  return timeChoice(column, sql, [...notes, 'a time before 1971, or infinity, is none']);
}

/** What stands for no time: zero of Unix, of Go and of others, -1, infinity. */
export const NEVER = /^(?:-?infinity$|0|1[0-8]|19[0-6]|1970)/;

const unknown = ({ name, type }: Column) =>
  `${name} is of the type ${type}: give SQL that makes a timestamptz of it`;

function timeChoice({ name, kind }: Column, sql: string, notes: readonly string[]): Choice {
  const source = notes.length === 0 ? { column: name } : { sql, note: notes.join('; ') };
  return { source, sure: kind === 'timestamptz', why: ['its name and type', ...notes].join('; ') };
}

/** The column as a timestamptz, and what is assumed for that. Empty where it isn't known. */
function timeIn(column: Column): string[] {
  const sql = identifier(column.name);
  if (column.kind === 'timestamptz') return [sql];
  if (column.kind === 'timestamp')
    return [`(${sql} AT TIME ZONE 'UTC')`, 'the column has no zone: UTC is assumed'];
  if (column.kind === 'date')
    return [`(${sql}::timestamp AT TIME ZONE 'UTC')`, 'the start of that day in UTC'];
  const [unit, count] = (column.kind === 'number' && unitOf(column)) || [];
  return unit ? [`to_timestamp(${sql} / ${count}.0)`, `by its values it is in ${unit}`] : [];
}

/** In which the values that aren't "none" are from 1979 on: so no number is a time in two units. */
function unitOf(column: Column) {
  const times = presentValues(column)
    .map(Number)
    .filter(number => !(number <= 0));
  const isIn = (count: number) => times.every(time => time >= 3e8 * count && time < 3e11 * count);
  return times.length > 0 && Object.entries(TIME_UNITS).find(([, count]) => isIn(count));
}
