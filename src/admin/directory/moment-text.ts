import { parseMoment } from '../../shared/record/timestamp.ts';
import { foldedText } from './headings.ts';

/** Not 05/11/2026, which is in May or in November: the export has a form that can't be. */
export const DAY_RULE =
  'must be a day that can be read in one way only, such as 2026-03-01, or empty: choose that form in the export';

/** What stands for no day. */
const NO_DAY: ReadonlySet<string> = new Set(['', 'na', 'none', 'null', 'never', '00000000']);
const DAY_FIRST = /^(\d\d?)\.(\d\d?)\.(\d{4})/;
const YEAR_FIRST =
  /^(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?\s?(?:UTC|([Zz]|[+-]\d\d:?\d\d))?$/;

/** In milliseconds since 1970, of a day its first moment in UTC. `null`: no day; `undefined`: it can't be read. */
export function momentOfText(text: string): number | null | undefined {
  if (NO_DAY.has(foldedText(text))) return null;
  const found = YEAR_FIRST.exec(text.replace(DAY_FIRST, '$3-$2-$1')) ?? [];
  const [, year, month = '', day = '', minute = '00:00', second = ':00', zone = 'Z'] = found;
  const date = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  return parseMoment(`${date}T${minute}${second}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
}
