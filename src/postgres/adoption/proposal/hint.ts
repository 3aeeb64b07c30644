import { parsePartialKeyHint } from '../../../roster/partial-key-hint.ts';
import type { Column } from '../catalogue/catalogue.ts';
import { namedLike, plainName, wordsOf } from '../catalogue/column-names.ts';
import { identifier, literal } from '../mapping/table-name.ts';
import { type Choice, presentValues, undecided } from './choice.ts';

const WHOLE =
  'partial_key_hint hint masked masked_key masked_value masked_token mask preview redacted redacted_key redacted_value obfuscated ' +
  'obfuscated_key obfuscated_value partial_key partial truncated truncated_key display display_key short short_key';
const STARTS =
  'start start_characters first_characters first_chars first_4 first_6 first_8 head visible_prefix short_token prefix';
const ENDS =
  'last_4 last_four last_6 last_8 last_characters last_chars last_digits suffix tail ending end last';

const PREFIX = /(?:^|_)(?:key|token)_prefix$/;

/** For what a table doesn't keep of a key. */
const UNKNOWN = '____';

export function chooseHint(columns: readonly Column[]): Choice {
  const texts = columns.filter(({ kind }) => kind === 'text');
  const like = (names: string) => namedLike(texts, names.split(' '))[0];
  const whole = like(WHOLE);
  const hasHints = whole && isOfHints(whole) ? whole : texts.find(isOfHints);
  if (hasHints) {
    const why = hasHints === whole ? 'its name' : 'its values, which are all masked';
    return { ...masked(hasHints), why };
  }
  if (whole) return hintOf(whole);
  const start = like(STARTS) ?? keyPrefix(texts);
  const end = like(ENDS);
  if (!start && !end)
    return undecided(
      'name the column that shows a part of the key, such as its first characters ("start" || \'...____\'), or give {"constant": "____...____"}; where only whole keys are kept, add a column with the hint of each (partialKeyHint of docs/issuing.md)',
    );
  return joined(start, end);
}

/** Whether its values are hints as they are, whatever it is called. Where there are none it isn't known. */
export function isOfHints(column: Column): boolean {
  const values = column.kind === 'text' ? presentValues(column) : [];
  return values.length > 0 && values.every(value => parsePartialKeyHint(value) !== undefined);
}

/** `random_token_prefix`; of several the one that tells most keys apart. */
function keyPrefix(texts: readonly Column[]): Column | undefined {
  const different = ({ sample }: Column) => new Set(sample).size;
  return texts
    .filter(({ name }) => PREFIX.test(wordsOf(name).join('_')))
    .toSorted((a, b) => different(b) - different(a))[0];
}

/** The hint by this column alone. */
export function hintOf(column: Column): Choice {
  const name = plainName(column.name);
  if (isOfHints(column)) return masked(column);
  if (STARTS.split(' ').includes(name) || PREFIX.test(wordsOf(column.name).join('_')))
    return joined(column, undefined);
  if (ENDS.split(' ').includes(name)) return joined(undefined, column);
  return masked(column);
}

interface Form {
  readonly sql: string;
  readonly of: (value: string) => string;
  readonly note?: string;
}

const MASK = '([.]{2,}|[*]+|[•]+|…)+';
const maskPattern = new RegExp(MASK, 'u');

/** A column with a start and an end, in our form or masked in another way. The first form that fits all values is taken. */
function masked(column: Column): Choice {
  const sql = orUnknown(column, `${UNKNOWN}...${UNKNOWN}`);
  const dots = `regexp_replace(${sql}, ${literal(MASK)}, '...')`;
  const withDots = (value: string) => value.replace(maskPattern, '...');
  const forms: Form[] = [
    { sql, of: value => value },
    { sql: dots, of: withDots },
    { sql: `${literal(UNKNOWN)} || ${dots}`, of: value => UNKNOWN + withDots(value), note: NO_START },
    { sql: `${dots} || ${literal(UNKNOWN)}`, of: value => withDots(value) + UNKNOWN, note: NO_END },
    { sql: `${sql} || ${literal(`...${UNKNOWN}`)}`, of: value => `${value}...${UNKNOWN}`, note: NO_END },
  ];
  const values = presentValues(column);
  const fitting =
    forms.find(({ of }) => values.every(value => parsePartialKeyHint(of(value)))) ?? (forms[1] as Form);
  return withForm([column], fitting, values.map(fitting.of));
}

const NO_START = `the column has no first characters: ${UNKNOWN} stands for them`;
const NO_END = `the table keeps no last characters: ${UNKNOWN} stands for them`;

function joined(start: Column | undefined, end: Column | undefined): Choice {
  const columns = [start, end].filter(column => column !== undefined);
  const part = (column: Column | undefined) => (column ? orUnknown(column, UNKNOWN) : literal(UNKNOWN));
  const sql = end
    ? `${part(start)} || '...' || ${part(end)}`
    : `${part(start)} || ${literal(`...${UNKNOWN}`)}`;
  const note = end ? (start ? undefined : NO_START) : NO_END;
  const rows = (columns[0]?.sample ?? []).map((_, row) => {
    const value = (column: Column | undefined) => column?.sample?.[row] || UNKNOWN;
    return `${value(start)}...${value(end)}`;
  });
  return withForm(columns, { sql, of: value => value, ...(note && { note }) }, rows);
}

/** A column that may be NULL or empty. */
function orUnknown(column: Column, unknown: string): string {
  const sql = identifier(column.name);
  const isEmpty = column.sample?.includes('') ?? false;
  if (isEmpty) return `coalesce(nullif(${sql}, ''), ${literal(unknown)})`;
  return column.isNullable ? `coalesce(${sql}, ${literal(unknown)})` : sql;
}

function withForm(columns: readonly Column[], { sql, note }: Form, hints: readonly string[]): Choice {
  const [only] = columns;
  const source = only && sql === identifier(only.name) ? { column: only.name } : { sql };
  const wrong = hints.filter(hint => parsePartialKeyHint(hint) === undefined).length;
  const why =
    columns.length > 1 ? `the names of ${columns.map(({ name }) => name).join(' and ')}` : 'its name';
  if (wrong === 0 && hints.length > 0)
    return { source: { ...source, ...(note && { note }) }, sure: true, why };
  const problem =
    hints.length === 0
      ? 'no row shows its form'
      : `${wrong} of ${hints.length} sampled values give no valid hint`;
  return { source: { ...source, ...(note && { note }) }, sure: false, why: `${why}; ${problem}` };
}
