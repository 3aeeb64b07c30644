import { coloured } from './capabilities.ts';
import {
  type Cut,
  cellText,
  DEFAULT_WIDTH,
  fittedLine,
  narrowWidest,
  tableWidth,
  width,
} from './fitted-table.ts';
import { printAtEnd } from './print.ts';
import { shown } from './shown.ts';

/** How a column gives way where the terminal is narrow. */
export interface Fitting {
  readonly cut: Cut;
  /** What its cells need at least to tell something. */
  readonly min: number;
  /** The width to which it gives way first. */
  readonly first?: number;
}

/** A column of a table that has an item in each row. */
export interface TableColumn<Item> extends Fitting {
  /** For the message that it is left out. */
  readonly name: string;
  readonly heading: string;
  readonly cell: (item: Item) => string;
  /** On a terminal, once the cell is padded. */
  readonly styled?: (text: string, item: Item) => string;
}

/**
 * The text of a table whose rows come in batches: on a terminal with headings, at the widths at which its first batch fits; elsewhere with tabs
 * between the cells, for cut and awk. Says at the end which columns it has no room for.
 * @param leaving the columns that may be left out, in that order.
 */
export function batchedTable<Item>(
  columns: readonly TableColumn<Item>[],
  leaving: readonly string[] = [],
  advice = '',
): (items: readonly Item[]) => string {
  if (!process.stdout.isTTY)
    return items =>
      items.map(item => `${columns.map(({ cell }) => shown(cell(item))).join('\t')}\n`).join('');
  let fitted: Layout<Item> | undefined;
  return items => {
    const head = fitted === undefined;
    fitted ??= layout(columns, items, leaving);
    const { shownColumns, widths } = fitted;
    if (head) tellLeftOut(columns, shownColumns, advice);
    const cuts = shownColumns.map(({ cut }) => cut);
    const line = (cells: readonly string[], styled: (text: string, column: number) => string) =>
      fittedLine(cells, widths, styled, cuts);
    const headings = shownColumns.map(({ heading }) => heading);
    const lines = items.map(item =>
      line(
        shownColumns.map(({ cell }) => cell(item)),
        (text, column) => shownColumns[column]?.styled?.(text, item) ?? text,
      ),
    );
    return (head ? line(headings, heading => coloured('bold', heading)) : '') + lines.join('');
  };
}

type Columns<Item> = readonly TableColumn<Item>[];

function tellLeftOut<Item>(columns: Columns<Item>, shownColumns: Columns<Item>, advice: string): void {
  const left = columns.filter(column => !shownColumns.includes(column)).map(({ name }) => name);
  if (left.length > 0)
    printAtEnd(`left out at this width: ${left.join(', ')}; use a wider terminal${advice}`);
}

interface Layout<Item> {
  /** The columns that are shown, and how wide each is. */
  readonly shownColumns: Columns<Item>;
  readonly widths: readonly number[];
}

/**
 * The widths at which the columns fit a terminal's width. Those that are cut at their start, whose end tells all, are cut first, and IDs; then
 * the widest ones; then columns are left out.
 */
function layout<Item>(
  columns: Columns<Item>,
  items: readonly Item[],
  leaving: readonly string[],
): Layout<Item> {
  const terminalWidth = process.stdout.columns || DEFAULT_WIDTH;
  const all = columns.map(column => ({
    column,
    ...widthsOf(column, [column.heading, ...items.map(column.cell)]),
  }));
  for (let count = 0; ; count += 1) {
    const kept = all.filter(({ column }) => !leaving.slice(0, count).includes(column.name));
    const widths = kept.map(({ natural }) => natural);
    if (tableWidth(widths) > terminalWidth) {
      for (const [at, { column, natural, min }] of kept.entries())
        widths[at] = column.cut === 'start' ? min : Math.min(natural, column.first ?? natural);
      narrowWidest(
        widths,
        kept.map(({ min }) => min),
        terminalWidth,
      );
    }
    if (tableWidth(widths) <= terminalWidth || count >= leaving.length)
      return { shownColumns: kept.map(({ column }) => column), widths };
  }
}

function widthsOf({ cut, min }: Fitting, cells: readonly string[]) {
  const natural = Math.max(...cells.map(cell => width(cellText(cell))));
  if (cut === 'nothing') return { natural: Math.max(natural, min), min: Number.POSITIVE_INFINITY };
  return { natural, min: Math.min(natural, min) };
}
