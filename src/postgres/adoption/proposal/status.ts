import { STATUSES, type Status } from '../../../roster/api-key.ts';
import { looksLikeKey } from '../../../roster/looks-like-key.ts';
import type { Column } from '../catalogue/catalogue.ts';
import { plainName, wordsOf } from '../catalogue/column-names.ts';
import { hasKeysByValue } from '../catalogue/key-columns.ts';
import type { StatusValue, StatusValues } from '../mapping/mapping.ts';
import { identifier, literal } from '../mapping/table-name.ts';
import { type Choice, type ProposedSource, presentValues, undecided } from './choice.ts';

/** What words say of a key: as the value of a status, or as the name of a column. What is gone for good is archived. */
const WORDS = {
  active: 'active enabled valid live current usable',
  inactive:
    'inactive disabled suspended blocked banned paused locked frozen deactivated expired pending invalid',
  archived:
    'archived revoked deleted discarded removed cancelled canceled destroyed retired terminated trashed purged',
} as const satisfies Record<Status, string>;

const STATUS_OF = new Map(
  STATUSES.flatMap(status => WORDS[status].split(' ').map(word => [word, status] as const)),
);

/** `live` tells real keys from those for tests, and what expires isn't yet expired. */
const NOT_AS_A_COLUMN = ['live', 'expired', 'pending', 'current'];

/** A column that says something of the status. */
interface Part {
  readonly column: Column;
  /** What it says where it is true or has a time; `null`: it is a status itself. */
  readonly means: Status | null;
}

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

/** What tells of an end, at the beginning of a word. */
const END =
  /^(?:delet|discard|remov|revo[kc]|disabl|deactivat|archiv|suspen[ds]|terminat|cancel|block|bann|invalidat|retir|trash|purg)/;

/** A column that seems to tell of the end of a key and that no rule knows, such as `soft_deleted_at` and `delete_time`. */
function isUnusedEnd(column: Column): boolean {
  const ends = wordsOf(column.name).filter(word => END.test(word));
  // A boolean may also tell what is allowed: `can_delete`.
  const canSay = isTime(column) || (column.kind === 'boolean' && ends.some(word => word.endsWith('ed')));
  return canSay && ends.length > 0 && partOf(column) === undefined;
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

function partOf(column: Column): Part | undefined {
  const name = plainName(column.name).replace(/^(?:is|was)_/, '');
  if (/^(?:status|state)$/.test(name)) {
    if (column.kind === 'boolean') return { column, means: 'active' };
    return isOfValues(column) ? { column, means: null } : undefined;
  }
  const word = name
    .replace(UNIT, '')
    .replace(TIME_WORD, '')
    .replace(/^(?:date|time)_/, '');
  const means = NOT_AS_A_COLUMN.includes(word) ? undefined : STATUS_OF.get(word);
  if (means === undefined || (isTime(column) && means === 'active')) return undefined;
  const canSay = ['boolean', 'integer', 'number'].includes(column.kind) || isTime(column);
  return canSay ? { column, means } : undefined;
}

/** What a number counts, at the end of a name: `deleted_at_m`. */
const UNIT = /_(?:m|s|ms|us|ns|ts|unix|epoch)$/;
const TIME_WORD = /_(?:at|on|date|time|timestamp)$/;

function isTime({ kind, name }: Column): boolean {
  const isNamed = TIME_WORD.test(plainName(name).replace(UNIT, ''));
  return ['timestamptz', 'timestamp', 'date'].includes(kind) || isNamed;
}

/** More different values than that are no statuses. */
const MAX_VALUES = 30;

function isOfValues(column: Column): boolean {
  const isKind = ['enum', 'text', 'integer'].includes(column.kind);
  return isKind && new Set(column.sample).size <= MAX_VALUES;
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
