import { STATUSES, type Status } from '../../../roster/api-key.ts';
import { looksLikeKey } from '../../../roster/looks-like-key.ts';
import type { Column } from '../catalogue/catalogue.ts';
import { plainName, wordsOf } from '../catalogue/column-names.ts';
import { hasKeysByValue } from '../catalogue/key-columns.ts';
import type { StatusValue, StatusValues } from '../mapping/mapping.ts';
import { identifier, literal } from '../mapping/table-name.ts';
import { type Choice, type ProposedSource, presentValues, undecided } from './choice.ts';
import { isUnusedEnd, type Part, partOf, STATUS_OF } from './status-columns.ts';

export function chooseStatus(columns: readonly Column[]): Choice {
  const parts = columns.map(partOf).filter(part => part !== undefined);
  const choice = withUnused(byParts(parts), columns.filter(isUnusedEnd));
  const expiry = columns.find(({ name }) => /^expir/.test(plainName(name)));
  if (!expiry) return choice;
  const note = `${expiry.name} is not looked at: a status can't depend on the current time`;
  return { ...choice, source: { ...choice.source, note } };
}

function byParts(parts: readonly Part[]): Choice {
  const [only] = parts;
  if (!only)
    return undecided(
      'name the column with the status, or {"constant": "active"} where a key that is revoked is deleted',
    );
  return parts.length === 1 ? statusOf(only.column) : combined(parts);
}

/** Without such a column a key that is gone may be listed as active. */
function withUnused(choice: Choice, unused: readonly Column[]): Choice {
  if (unused.length === 0) return choice;
  const why = `${choice.why}; not looked at: ${unused.map(({ name }) => name).join(', ')}`;
  return { ...choice, sure: false, why };
}

/** The status by this column alone. */
export function statusOf(column: Column): Choice {
  const { means } = partOf(column) ?? { means: null };
  if (column.kind === 'boolean') return ofBoolean(column, means ?? 'active');
  if (means !== null) return combined([{ column, means }]);
  return ofValues(column);
}

/** Of a status that may be missing, only the one that says that the key is gone has a meaning: that it isn't. */
function ofBoolean({ name, isNullable, sample }: Column, means: Status): Choice {
  const isActive = means === 'active';
  const whereFalse: StatusValue[] = isNullable && !isActive ? [false, null] : [false];
  const values: StatusValues = isActive
    ? { active: [true], inactive: whereFalse }
    : { active: whereFalse, [means]: [true] };
  const source = { column: name, values };
  if (!isActive || !isNullable) return { source, sure: true, why: 'its name and type' };
  if (!sample?.includes(null))
    return {
      source,
      sure: false,
      why: 'its name and type; no status for NULL, which no row of the sample has',
    };
  const todo = `the column ${name} is NULL in some rows: add null to the status that it means, and delete this "todo"`;
  return { source: { ...source, todo }, sure: false, why: todo };
}

function ofValues(column: Column): Choice {
  const { values, unplaced } = placed(column);
  const source = { column: column.name, values };
  const problem = unplacedProblem(column, unplaced);
  if (problem === null) return { source, sure: true, why: 'its name and its values' };
  const todo = `${problem}: add each to the status that it means, and delete this "todo"`;
  return { source: { ...source, todo }, sure: false, why: todo };
}

function placed(column: Column): { values: StatusValues; unplaced: readonly (string | null)[] } {
  const all = column.kind === 'enum' ? column.labels : [...new Set(presentValues(column))].sort();
  const statusOfValue = (value: string) =>
    STATUS_OF.get(
      wordsOf(value)
        .join('_')
        .replace(/^(?:.*_)?(?:status|state)_/, ''),
    );
  const entries = STATUSES.map(
    status => [status, all.filter(value => statusOfValue(value) === status)] as const,
  );
  return {
    values: Object.fromEntries(entries),
    unplaced: [
      ...all.filter(value => statusOfValue(value) === undefined),
      ...(column.sample?.includes(null) ? [null] : []),
    ],
  };
}

function unplacedProblem(column: Column, unplaced: readonly (string | null)[]): string | null {
  const { kind, name, sample } = column;
  if (unplaced.length === 0)
    return kind === 'enum' || sample?.length ? null : `no row tells the values of the column ${name}`;
  const values = unplaced.map(value => value ?? 'NULL');
  const verb = values.length === 1 ? 'means' : 'mean';
  const told = kind === 'enum' || areWords(column, values);
  const count = `${values.length} value${values.length === 1 ? '' : 's'}`;
  return `of the column ${name} it isn't known what ${told ? values.join(', ') : count} ${verb}`;
}

const MAX_TOLD = 10;

/** Any text may be in a column of text: only those that are statuses by their looks may be named. */
function areWords(column: Column, values: readonly string[]): boolean {
  const isWord = (value: string) => /^[\w -]{1,32}$/.test(value) && !looksLikeKey(value);
  return values.length <= MAX_TOLD && values.every(isWord) && !hasKeysByValue(column);
}

/** The one that says most is asked first: a key that is revoked is archived, whatever else is said of it. */
function combined(parts: readonly Part[]): Choice {
  const states = parts.filter(({ means }) => means === null).slice(0, 1);
  const problems = states.flatMap(({ column }) => unplacedProblem(column, placed(column).unplaced) ?? []);
  const ordered = [...states, ...parts.filter(({ means }) => means !== null)];
  const when = (status: Status) =>
    ordered.flatMap(part =>
      conditionsOf(part, status).map(condition => `WHEN ${condition} THEN '${status}'`),
    );
  const [active = `ELSE 'active'`] = when('active'); // a key that passed all before it
  const sql = ['CASE', ...when('archived'), ...when('inactive'), active, 'END'].join(' ');
  const [first, ...more] = parts.map(({ column }) => column.name);
  const why = more.length > 0 ? `the names and types of ${[first, ...more].join(', ')}` : 'its name and type';
  if (problems.length === 0) return { source: { sql }, sure: states.length === 0, why };
  const todo = `${problems.join('; ')}: add a WHEN for each, and delete this "todo"`;
  return { source: { sql, todo } satisfies ProposedSource, sure: false, why: todo };
}

/** When the column says that the key has this status, as SQL. */
function conditionsOf({ column, means }: Part, status: Status): string[] {
  const sql = identifier(column.name);
  if (means === null) {
    const values = placed(column).values[status] ?? [];
    const texts = values.map(value => literal(String(value)));
    return texts.length > 0 ? [`${sql} IN (${texts.join(', ')})`] : [];
  }
  if (means !== 'active') return means === status ? [isSet(column)] : [];
  if (status === 'active') return [isSet(column)];
  return status === 'inactive' ? [`NOT ${isSet(column)}`] : [];
}

/** A number is 0 where there is no time yet. */
function isSet({ name, kind }: Column): string {
  const sql = identifier(name);
  if (kind === 'boolean') return sql;
  return kind === 'integer' || kind === 'number' ? `(${sql} <> 0)` : `${sql} IS NOT NULL`;
}
