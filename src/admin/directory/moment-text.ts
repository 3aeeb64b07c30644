import { parseMoment } from '../../shared/record/timestamp.ts';
import { foldedText } from './headings.ts';

/** Not 05/11/2026, which is in May or in November, unless other days of the file are in one order only. */
export const DAY_RULE = 'must be a day that can be read in one way only, such as 2026-03-01, or empty';

/** What stands for no day. */
const NO_DAY: ReadonlySet<string> = new Set(['', 'na', 'none', 'null', 'never', '00000000']);
const DAY_FIRST = /^(\d\d?)\.(\d\d?)\.(\d{4})/;
const WITH_SLASHES = /^(\d\d?)\/(\d\d?)\/(\d{4})/;

/** Where the numbers stand in all of these days that have slashes. `undefined`: none of them tells, as no month is above 12, or two differ. */
export function slashOrderOf(days: Iterable<string>): string | undefined {
  const parts = Array.from(days, day => WITH_SLASHES.exec(day) ?? []);
  const [isDayFirst, isMonthFirst] = [1, 2].map(at => parts.some(each => Number(each[at]) > 12));
  return isDayFirst === isMonthFirst ? undefined : isDayFirst ? '$3-$2-$1' : '$3-$1-$2';
}

const YEAR_FIRST =
  /^(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?\s?(?:UTC|([Zz]|[+-]\d\d:?\d\d))?$/;

/** In milliseconds since 1970, of a day its first moment in UTC. `null`: no day; `undefined`: it can't be read. */
export function momentOfText(text: string, slashOrder = '$&'): number | null | undefined {
  if (NO_DAY.has(foldedText(text))) return null;
  const yearFirst = text.replace(DAY_FIRST, '$3-$2-$1').replace(WITH_SLASHES, slashOrder);
  const found = YEAR_FIRST.exec(yearFirst) ?? [];
  const [, year, month = '', day = '', minute = '00:00', second = ':00', zone = 'Z'] = found;
  const date = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  return parseMoment(`${date}T${minute}${second}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
}
