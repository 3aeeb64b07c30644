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

export interface TableColumn extends Fitting {
  /** For the message that it is left out. */
  readonly name: string;
  readonly heading: string;
}

/** Rows as text; each cell may be styled once it is padded. */
type RowsText = (
  rows: readonly (readonly string[])[],
  style?: (text: string, row: number, column: number) => string,
) => string;

/**
 * A table whose rows come in batches: on a terminal with headings, at the widths at which its first batch fits; elsewhere with tabs
 * between the cells, for cut and awk. Says at the end which columns it has no room for.
 * @param leaving the columns that may be left out, in that order.
 */
export function batchedTable(
  columns: readonly TableColumn[],
  leaving: readonly string[] = [],
  advice = '',
): RowsText {
  if (!process.stdout.isTTY) return rows => rows.map(cells => `${cells.map(shown).join('\t')}\n`).join('');
  const headings = columns.map(({ heading }) => heading);
  let fitted: Layout | undefined;
  return (rows, style = text => text) => {
    const head = fitted === undefined;
    fitted ??= layout(columns, [headings, ...rows], leaving);
    const { shownColumns, widths } = fitted;
    if (head) tellLeftOut(columns, shownColumns, advice);
    const cuts = shownColumns.map(index => columns[index]?.cut ?? 'end');
    const line = (cells: readonly string[], styled: (text: string, column: number) => string) =>
      fittedLine(
        shownColumns.map(index => cells[index] ?? ''),
        widths,
        (text, at) => styled(text, shownColumns[at] as number),
        cuts,
      );
    const lines = rows.map((cells, row) => line(cells, (text, column) => style(text, row, column)));
    return (head ? line(headings, heading => coloured('bold', heading)) : '') + lines.join('');
  };
}

function tellLeftOut(columns: readonly TableColumn[], shownColumns: readonly number[], advice: string): void {
  const left = columns.filter((_, index) => !shownColumns.includes(index)).map(({ name }) => name);
  if (left.length > 0)
    printAtEnd(`left out at this width: ${left.join(', ')}; use a wider terminal${advice}`);
}

interface Layout {
  /** The indexes of the columns that are shown, and how wide each is. */
  readonly shownColumns: readonly number[];
  readonly widths: readonly number[];
}

/**
 * The widths at which the columns fit a terminal's width. Those that are cut at their start, whose end tells all, are cut first, and IDs; then
 * the widest ones; then columns are left out.
 */
function layout(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  leaving: readonly string[],
): Layout {
  const terminalWidth = process.stdout.columns || DEFAULT_WIDTH;
  const all = columns.map((column, index) => ({
    ...{ column, index },
    ...widthsOf(
      column,
      rows.map(row => row[index] ?? ''),
    ),
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
      return { shownColumns: kept.map(({ index }) => index), widths };
  }
}

function widthsOf({ cut, min }: Fitting, cells: readonly string[]) {
  const natural = Math.max(...cells.map(cell => width(cellText(cell))));
  if (cut === 'nothing') return { natural: Math.max(natural, min), min: Number.POSITIVE_INFINITY };
  return { natural, min: Math.min(natural, min) };
}
