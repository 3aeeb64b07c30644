import { identifier, literal } from '../../../service/postgres/vendor-table/table-name.ts';
import { parsePartialKeyHint } from '../../../shared/record/partial-key-hint.ts';
import type { Column } from '../catalogue/catalogue.ts';
import { namedLike } from '../catalogue/column-names.ts';
import { type Choice, presentValues, textSource, undecided } from './proposed-source.ts';

const WHOLE =
  /^(?:hint|partial_key_hint|(?:masked|redacted|partial|truncated|short)_key|mask(?:ed)?(?:_value)?|preview|redacted|display)$/;
const STARTS = /^(?:start|prefix|(?:start|first)_characters|first_(?:chars|four|six|eight|[468]))$/;
const ENDS = /^(?:last_(?:characters|chars|digits|four|six|eight|[468])|suffix|ending)$/;

/** For what a table doesn't keep of a key. */
const UNKNOWN = '____';

export function chooseHint(columns: readonly Column[]): Choice {
  const texts = columns.filter(({ kind }) => kind === 'text');
  const whole = namedLike(texts, WHOLE)[0] ?? texts.find(isOfHints);
  if (whole) return hintOf(whole);
  const [[start], [end]] = [namedLike(texts, STARTS), namedLike(texts, ENDS)];
  if (start || end) return joined(start, end);
  return undecided(
    'name the column that shows a part of the key, such as its first characters ("start" || \'...____\'), or give {"constant": "____...____"}; where only whole keys are kept, add a column with the hint of each (partialKeyHint of docs/issuing.md)',
  );
}

/** Whether its values are hints as they are, whatever it is called. Where there are none it isn't known. */
export function isOfHints(column: Column): boolean {
  const values = column.kind === 'text' ? presentValues(column) : [];
  return values.length > 0 && values.every(value => parsePartialKeyHint(value) !== undefined);
}

/** The hint by this column alone. */
function hintOf(column: Column): Choice {
  const { name } = column;
  const source = textSource(column, `${UNKNOWN}...${UNKNOWN}`);
  if (isOfHints(column)) return { source, sure: true, why: 'its values, which are all masked' };
  if (presentValues(column).length === 0)
    return { source, sure: false, why: 'its name; no row shows its form' };
  const masked = maskedOf(column);
  if (masked)
    return { source: { sql: masked }, sure: false, why: 'its name; all values are masked in another form' };
  return undecided(
    `${name} isn't masked as start...end in each row: give SQL such as regexp_replace(${identifier(name)}, '[*•…]+', '...')`,
  );
}

/** What makes hints of other masked texts: such as show the beginning alone, both ends, or the end alone. */
const FORMS: readonly (readonly [sql: (column: string) => string, hintOf: (value: string) => string])[] = [
  [
    column => `regexp_replace(${column}, '[.*•…]+$', '') || '...${UNKNOWN}'`,
    value => `${value.replace(/[.*•…]+$/u, '')}...${UNKNOWN}`,
  ],
  [column => `regexp_replace(${column}, '[.*•…]+', '...')`, value => value.replace(/[.*•…]+/u, '...')],
  [
    column => `'${UNKNOWN}' || regexp_replace(${column}, '^[.*•…]+', '...')`,
    value => UNKNOWN + value.replace(/^[.*•…]+/u, '...'),
  ],
];

/** The form that fits all values, of which each is masked. */
function maskedOf(column: Column): string | undefined {
  const values = presentValues(column);
  const isMasked = values.length > 0 && values.every(value => /[*•…]|\.\.\./u.test(value));
  const [sql] = FORMS.find(([, hintOf]) => values.every(value => parsePartialKeyHint(hintOf(value)))) ?? [];
  return isMasked ? sql?.(identifier(column.name)) : undefined;
}

function joined(start: Column | undefined, end: Column | undefined): Choice {
  const masked = start && !end && maskedOf(start);
  if (masked)
    return { source: { sql: masked }, sure: false, why: 'its name; all values are masked in another form' };
  const part = (column: Column | undefined) => {
    if (!column) return literal(UNKNOWN);
    const sql = identifier(column.name);
    return column.isNullable ? `coalesce(${sql}, ${literal(UNKNOWN)})` : sql;
  };
  const sql = end
    ? `${part(start)} || '...' || ${part(end)}`
    : `${part(start)} || ${literal(`...${UNKNOWN}`)}`;
  if (start && end) return { source: { sql }, sure: true, why: `the names of ${start.name} and ${end.name}` };
  const missing = end ? 'column has no first' : 'table keeps no last';
  const note = `the ${missing} characters: ${UNKNOWN} stands for them`;
  return { source: { sql, note }, sure: true, why: 'its name' };
}
