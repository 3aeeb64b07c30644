import { Refused } from '../record/faults.ts';

export interface CsvTextRow {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The rows of a whole text of CSV (RFC 4180), also in a browser, where `csv-rows.ts` can't run. Throws `Refused` where a quote is never closed.
 */
export function* csvTextRows(text: string): Generator<CsvTextRow, undefined> {
  const separator = separatorOf(text);
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n][^${separator}\\r\\n]*)?)(${separator}|\\r?\\n|$)`,
    'y',
  );
  let cells: string[] = [];
  let [line, next] = [1, 1];
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) throw new Refused('is not CSV: a quote is never closed');
    const [whole, quoted, plain = '', end] = match;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (whole.includes('\n')) next += whole.split('\n').length - 1;
    if (end === separator && cell.lastIndex < text.length) continue;
    if (end === separator) cells.push('');
    yield { line, cells };
    [cells, line] = [[], next];
  }
}

/** The one of `, ;` and a tab that the heading has most, as spreadsheets write each of them. */
export function separatorOf(text: string): string {
  const [heading = ''] = text.split('\n', 1);
  const count = (separator: string) => heading.split(separator).length;
  return [';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best), ',');
}
