import {
  type Cut,
  cellText,
  DEFAULT_WIDTH,
  fittedLine,
  narrowWidest,
  tableWidth,
  width,
} from './fitted-table.ts';

/** How a column gives way where the terminal is narrow. */
export interface Fitting {
  readonly cut: Cut;
  /** What its cells need at least to tell something. */
  readonly min: number | ((cells: readonly string[]) => number);
  /** The width to which it gives way first. */
  readonly first?: number;
}

/** A table on the terminal. */
export interface FittedTable {
  /** The indexes of the columns that it has no room for. */
  readonly leftOut: readonly number[];
  /** How wide a column is, by its index; 0: it is left out. */
  widthOf(column: number): number;
  /** A row; each cell may be styled once it is padded. */
  line(cells: readonly string[], style?: (text: string, column: number) => string): string;
}

/**
 * Its widths are those at which these rows fit: the first ones, as a table begins before all are known.
 * @param leaving the columns that may be left out, in that order.
 */
export function fittedTable(
  fittings: readonly Fitting[],
  rows: readonly (readonly string[])[],
  leaving: readonly number[],
): FittedTable {
  const { columns, widths } = layout(fittings, rows, process.stdout.columns || DEFAULT_WIDTH, leaving);
  const cuts = columns.map(index => (fittings[index] as Fitting).cut);
  return {
    leftOut: [...fittings.keys()].filter(index => !columns.includes(index)),
    widthOf: column => widths[columns.indexOf(column)] ?? 0,
    line: (cells, style = text => text) => {
      const kept = columns.map(index => cells[index] ?? '');
      return fittedLine(kept, widths, (text, at) => style(text, columns[at] as number), cuts);
    },
  };
}

interface Layout {
  /** The indexes of the columns that are shown, and how wide each is. */
  readonly columns: readonly number[];
  readonly widths: readonly number[];
}

/**
 * The widths at which the columns fit a terminal's width. Those that are cut at their start, whose end tells all, are cut first, and IDs; then
 * the widest ones; then columns are left out.
 * @param leftOut the columns that may be left out, in that order.
 */
export function layout(
  fittings: readonly Fitting[],
  rows: readonly (readonly string[])[],
  terminalWidth: number,
  leftOut: readonly number[],
): Layout {
  const all = fittings.map((fitting, index) =>
    widthsOf(
      fitting,
      rows.map(row => row[index] ?? ''),
    ),
  );
  for (let count = 0; ; count += 1) {
    const columns = [...fittings.keys()].filter(index => !leftOut.slice(0, count).includes(index));
    const shownWidths = columns.map(index => all[index] as Widths);
    const widths = shownWidths.map(({ natural }) => natural);
    if (tableWidth(widths) > terminalWidth) {
      for (const [at, index] of columns.entries()) {
        const { cut, first = Number.POSITIVE_INFINITY } = fittings[index] as Fitting;
        const { natural, min } = shownWidths[at] as Widths;
        widths[at] = cut === 'start' ? min : Math.min(natural, first);
      }
      narrowWidest(
        widths,
        shownWidths.map(({ min }) => min),
        terminalWidth,
      );
    }
    if (tableWidth(widths) <= terminalWidth || count === leftOut.length) return { columns, widths };
  }
}

interface Widths {
  readonly natural: number;
  readonly min: number;
}

function widthsOf({ cut, min }: Fitting, cells: readonly string[]): Widths {
  const least = typeof min === 'number' ? min : min(cells);
  const natural = Math.max(...cells.map(cell => width(cellText(cell))));
  if (cut === 'nothing') return { natural: Math.max(natural, least), min: Number.POSITIVE_INFINITY };
  return { natural, min: Math.min(natural, least) };
}
