import type { StatusValue, StatusValues } from '../../../service/postgres/vendor-table/source.ts';
import { identifier } from '../../../service/postgres/vendor-table/table-name.ts';
import { STATUSES, type Status } from '../../../shared/record/status.ts';
import type { Column } from '../catalogue/catalogue.ts';
import { plainName, WHEN, wordsOf } from '../catalogue/column-names.ts';
import { type Choice, namesOf, presentValues, undecided } from './proposed-source.ts';
import { NEVER } from './time.ts';

/** What words say of a key: as the value of a status, or as the name of a column. What is gone for good is archived. */
const WORDS: Readonly<Record<Status, string>> = {
  active: 'active enabled valid',
  inactive: 'inactive disabled suspended blocked banned paused locked deactivated',
  archived: 'archived revoked deleted removed cancelled canceled destroyed retired terminated',
};
const STATUS_OF = new Map(
  STATUSES.flatMap(status => WORDS[status].split(' ').map(word => [word, status] as const)),
);

const FLAGS: readonly Column['kind'][] = ['boolean', 'timestamptz', 'timestamp', 'date'];
const TIME_WORD = new RegExp(`(?:${WHEN}|at)+$`);

/** What a flag or a time says of a key where it is set; `undefined`: nothing that is known. */
function meaningOf({ name, kind }: Column): Status | undefined {
  const word = plainName(name)
    .replace(/^(?:is|was|date)_?/, '')
    .replace(TIME_WORD, '');
  const means = word === 'status' && kind === 'boolean' ? 'active' : STATUS_OF.get(word);
  const isTime = FLAGS.includes(kind) || (kind === 'number' && TIME_WORD.test(plainName(name)));
  return isTime && (kind === 'boolean' || means !== 'active') ? means : undefined;
}

const isStatus = ({ name, kind }: Column) =>
  /^(?:status|state)$/.test(plainName(name)) && !FLAGS.includes(kind);

/** What tells of an end at the beginning of a word, or of a state as the whole name. */
const END = new RegExp(
  '(?:^|_)(?:delet|discard|remov|revo[kc]|disabl|deactivat|archiv|suspend|terminat|cancel|block|bann|inactiv|trash|purge|destroy|void' +
    '|invalid(?:at|$)|withdr|obsolet|compromis|leaked|ended|rotated|retired|locked|paused|froze|hidden|supersed|replaced)' +
    '|^(?:is_)?(?:active|enabled|valid|usable|unusable|live|expired|status|state|lifecycle)(?:_(?:code|flag|id))?$',
);

/** Whether it may tell of the end of a key, whatever its type. Without it a key that is gone could be listed as active. */
function isEnd(column: Column, others: readonly Column[]): boolean {
  const endIn = ({ name }: Column) => END.exec(plainName(name))?.[0];
  const isTold = (each: Column) => meaningOf(each) !== undefined && endIn(each) === endIn(column);
  const saysWhoOrWhy = /(?:by|reason|note|comment|message)(?:_?id)?$/i.test(column.name);
  return endIn(column) !== undefined && !(saysWhoOrWhy && others.some(isTold));
}

export function chooseStatus(columns: readonly Column[]): Choice {
  const telling = columns.filter(each => isStatus(each) || meaningOf(each) || isEnd(each, columns));
  const choice = byColumns(telling);
  const expiry = columns.find(({ name }) => /^expir/.test(plainName(name)));
  if (!expiry) return choice;
  const note = `${expiry.name} is not looked at: a status can't depend on the current time`;
  return { ...choice, source: { ...choice.source, note } };
}

function byColumns([column, ...more]: readonly Column[]): Choice {
  if (!column)
    return undecided(
      'name the column with the status, or {"constant": "active"} where a key that is revoked is deleted',
    );
  if (more.length === 0) return statusOf(column);
  return undecided(
    `${namesOf([column, ...more])} may all tell of the status: name the only one that counts, or give SQL such as CASE WHEN … THEN 'archived' WHEN … THEN 'inactive' ELSE 'active' END`,
  );
}

/** The status by this column alone. */
function statusOf(column: Column): Choice {
  const { name, kind } = column;
  if (isStatus(column)) return ofValues(column);
  const means = meaningOf(column);
  if (means === undefined)
    return undecided(
      `what ${name} means isn't known: give SQL such as CASE WHEN ${identifier(name)} … THEN 'archived' ELSE 'active' END`,
    );
  if (kind === 'boolean') return ofBoolean(column, means);
  const source = {
    sql: `CASE WHEN ${identifier(name)} ${whereSet(column)} THEN '${means}' ELSE 'active' END`,
  };
  const today = new Date().toISOString();
  const isAhead = presentValues(column).some(value => !NEVER.test(value) && value > today);
  const why = `its name and type${isAhead ? '; some are in the future' : ''}`;
  return { source, sure: kind !== 'number' && !isAhead, why };
}

/** A time that can't be NULL, or isn't where there is none, has another value for that. */
function whereSet(column: Column): string {
  const { kind, isNullable } = column;
  if (kind === 'number') return '> 0';
  return isNullable && !presentValues(column).some(value => NEVER.test(value))
    ? 'IS NOT NULL'
    : `BETWEEN ${kind} '1971-01-01' AND ${kind} '9999-12-31'`;
}

/** Of a status that may be missing, only the one that says that the key is gone has a meaning: that it isn't. */
function ofBoolean({ name, isNullable, sample }: Column, means: Status): Choice {
  const whereFalse: StatusValue[] = isNullable && means !== 'active' ? [false, null] : [false];
  const values: StatusValues =
    means === 'active' ? { active: [true], inactive: whereFalse } : { active: whereFalse, [means]: [true] };
  const source = { column: name, values };
  const why = 'its name and type';
  if (means !== 'active' || !isNullable) return { source, sure: true, why };
  if (sample?.includes(null)) return toBePlaced(source, `NULL of the column ${name}`);
  return { source, sure: false, why: `${why}; no status for NULL, which no row of the sample has` };
}

/** Any text may be in a column of text, so of its values only those that are known words are told. */
function ofValues(column: Column): Choice {
  const { kind, name, labels, sample } = column;
  const all = kind === 'enum' ? labels : [...new Set(presentValues(column))].sort();
  const meaning = (value: string) => STATUS_OF.get(wordsOf(value).join('_'));
  const values = STATUSES.map(status => [status, all.filter(value => meaning(value) === status)]);
  const source = { column: name, values: Object.fromEntries(values) };
  const unplaced = all.filter(value => meaning(value) === undefined);
  const told = [
    ...(kind === 'enum' ? unplaced : unplaced.length > 0 ? [`${unplaced.length} values`] : []),
    ...(sample?.includes(null) ? ['NULL'] : []),
    ...(all.length === 0 ? ['each value, which no row tells,'] : []),
  ];
  if (told.length > 0) return toBePlaced(source, `${told.join(', ')} of the column ${name}`);
  return { source, sure: true, why: 'its name and its values' };
}

function toBePlaced(source: { column: string; values: StatusValues }, what: string): Choice {
  const todo = `it isn't known what ${what} means: add it to its status, and delete this "todo"`;
  return { source: { ...source, todo }, sure: false, why: todo };
}
