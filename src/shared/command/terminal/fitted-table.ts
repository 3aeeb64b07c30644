import truncatedWidth from 'fast-string-truncated-width';
import { showsUnicode } from './capabilities.ts';
import { shown } from './shown.ts';

const GAP = '  ';
/** For a terminal that doesn't tell its width. */
export const DEFAULT_WIDTH = 80;

/** Narrows the widest, and none below its min width, until all fit or none can be narrower. */
export function narrowWidest(widths: number[], min: readonly number[], terminalWidth: number): void {
  for (let over = tableWidth(widths) - terminalWidth; over > 0; over -= 1) {
    const narrower = widths.map((each, column) => (each > (min[column] ?? 0) ? each : 0));
    const widest = narrower.indexOf(Math.max(...narrower));
    if (!narrower[widest]) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** Of the whole table. */
export function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
}

/** What is cut from a cell that is too long; nothing: it makes its row longer. */
export type Cut = 'start' | 'middle' | 'end' | 'nothing';

/** One line of cells at these widths; each may be styled once it is padded. Nothing is cut from the first, unless it is said. */
export function fittedLine(
  cells: readonly string[],
  widths: readonly number[],
  style: (cell: string, column: number) => string = cell => cell,
  cuts: readonly Cut[] = ['nothing'],
): string {
  const fitted = cells.map((cell, column) => {
    const last = column === cells.length - 1;
    const text = fit(cell, widths[column] ?? 0, cuts[column]);
    return style(last ? text.trimEnd() : text, column);
  });
  return `${fitted.join(GAP)}\n`;
}

/** Cut with an ellipsis, or padded, to this many columns of a terminal. */
export function fit(cell: string, columns: number, from: Cut = 'end'): string {
  const text = cellText(cell);
  const fitting = from === 'nothing' || width(text) <= columns ? text : cut(text, columns, from);
  return fitting + ' '.repeat(Math.max(0, columns - width(fitting)));
}

/** A cell as a table shows it, which is what is measured. */
export function cellText(cell: string): string {
  return abridged(withFewMarks(shown(cell).replace(INVISIBLE, '')));
}

/** Terminals don't agree on whether they take a column. */
const INVISIBLE = /[\u00ad\u200b\u2060-\u2064\ufeff]/g;

/** Any number of them may stand over one letter, and would be drawn over the rows around it. No language needs more. */
const MAX_MARKS = 6;
const tooManyMarks = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu');

function withFewMarks(text: string): string {
  return text.replace(tooManyMarks, '$1');
}

/** In characters: many times what a terminal has in a line. What is between its ends would take long to measure. */
const MAX_MEASURED = 10_000;

function abridged(text: string): string {
  const half = MAX_MEASURED / 2;
  return text.length <= MAX_MEASURED ? text : text.slice(0, half) + text.slice(-half);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Stands for what is cut. */
export function ellipsis(): string {
  return showsUnicode() ? '…' : '...';
}

/** Cuts between graphemes: an emoji may be many code points. */
function cut(text: string, columns: number, from: Exclude<Cut, 'nothing'>): string {
  const mark = ellipsis();
  const room = columns - mark.length;
  if (from === 'end') return beginning(text, room) + mark;
  const start = from === 'start' ? '' : beginning(text, Math.ceil(room / 2));
  return start + mark + ending(text, room - width(start));
}

/** As much of the beginning as has room in these columns. */
function beginning(text: string, room: number): string {
  let used = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    used += width(segment);
    if (used > room) return text.slice(0, index);
  }
  return text;
}

function ending(text: string, room: number): string {
  let left = width(text);
  for (const { segment, index } of graphemes.segment(text)) {
    if (left <= room) return text.slice(index);
    left -= width(segment);
  }
  return '';
}

/** In columns of a terminal. A mark that has a space of its own, as vowels of Hindi have, takes a column there. */
export function width(text: string): number {
  return truncatedWidth(text).width + (text.match(SPACING_MARKS)?.length ?? 0);
}

const SPACING_MARKS = /\p{Mc}/gu;
