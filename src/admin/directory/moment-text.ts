import { parseTimestamp } from '../../shared/record/timestamp.ts';
import { foldedText } from './headings.ts';

export const DAY_RULE = 'must be a day that can be read in one way only, such as 2026-03-01, or empty';

/** What stands for no day. */
const NO_DAY: ReadonlySet<string> = new Set(['', 'na', 'none', 'null', 'never']);
const YEAR_FIRST =
  /^(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s?(?:UTC|([Zz]|[+-]\d\d:?\d\d))?)?$/;
const YEAR_LAST = /^(\d\d?)([./])(\d\d?)\2(\d{4})$/;

/**
 * In milliseconds since 1970, of a day its first moment in UTC; `null`: no day. `undefined`: no day that can be read, such as
 * 05/11/2026, which is in May or in November.
 */
export function momentOfText(text: string): number | null | undefined {
  if (NO_DAY.has(foldedText(text))) return null;
  const [whole, year, month, day, minute = '00:00', rest = ':00', zone = 'Z'] = YEAR_FIRST.exec(text) ?? [];
  if (whole) return momentOf([year, month, day], `${minute}${rest}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  const [, first, separator, second, last] = YEAR_LAST.exec(text) ?? [];
  const isDayFirst = separator === '.' || first === second || Number(first) > 12;
  return isDayFirst || Number(second) > 12
    ? momentOf(isDayFirst ? [last, second, first] : [last, first, second])
    : undefined;
}

function momentOf(day: readonly (string | undefined)[], time = '00:00:00Z'): number | undefined {
  const moment = parseTimestamp(`${day.map(part => part?.padStart(2, '0')).join('-')}T${time}`);
  return moment === undefined ? undefined : Number(moment / 1000n);
}
