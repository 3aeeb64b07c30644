import truncatedWidth from 'fast-string-truncated-width';
import { shown } from './shown.ts';

/** No column is made narrower: its cells would tell nothing. */
const MIN_WIDTH = 4;
const GAP = '  ';
/** For a terminal that doesn't tell its width. */
export const DEFAULT_WIDTH = 80;

/**
 * The widths at which the columns fit a terminal's width: the widest are narrowed, until all fit. The first column,
 * which is an ID to be copied, is never cut.
 */
export function fittingWidths(rows: readonly (readonly string[])[], terminalWidth: number): number[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map(row => width(shown(row[column] ?? '')))),
  );
  const total = () => widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
  while (total() > terminalWidth) {
    const widest = widths.indexOf(Math.max(...widths.slice(1)), 1);
    if (widest < 0 || (widths[widest] ?? 0) <= MIN_WIDTH) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** One line of cells at these widths; each may be styled once it is padded. */
export function fittedLine(
  cells: readonly string[],
  widths: readonly number[],
  style: (cell: string, column: number) => string = cell => cell,
): string {
  const fitted = cells.map((cell, column) => {
    const last = column === cells.length - 1;
    const width = widths[column] ?? 0;
    const text = column === 0 ? shown(cell).padEnd(width) : fit(cell, width);
    return style(last ? text.trimEnd() : text, column);
  });
  return `${fitted.join(GAP)}\n`;
}

/** Cut with an ellipsis, or padded, to this many columns of a terminal. */
export function fit(cell: string, columns: number): string {
  const text = shown(cell);
  const fitting = width(text) <= columns ? text : cut(text, columns);
  return fitting + ' '.repeat(Math.max(0, columns - width(fitting)));
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts between graphemes: an emoji may be many code points. */
function cut(text: string, columns: number): string {
  let start = '';
  for (const { segment } of graphemes.segment(text)) {
    if (width(`${start}${segment}…`) > columns) break;
    start += segment;
  }
  return `${start}…`;
}

function width(text: string): number {
  return truncatedWidth(text).width;
}
