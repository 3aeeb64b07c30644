/** How the tables of the report look where they are read: on a terminal, or in a file, a pipe or a mail. */
import { coloured, showsUnicode } from '../../../shared/command/terminal/capabilities.ts';
import {
  batchedTable,
  type Fitting,
  type TableColumn,
} from '../../../shared/command/terminal/fitted-columns.ts';
import { shown } from '../../../shared/command/terminal/shown.ts';
import { batchesOf } from '../../report/batches.ts';
import { type Group, number, type Section } from '../../report/sections.ts';
import { cutName } from '../../report/tables.ts';

/** So many decide on the widths of the columns. */
const FIRST_ROWS = 100;

/**
 * On a terminal cut to its width. Elsewhere a row a line, with tabs between the cells and nothing padded: cron mails the report, and
 * one long name must not make each line as long. An ID is never cut: it is there to be copied.
 * @param leaving the columns that may be left out where it is narrow, in that order.
 */
export function* tableText(
  columns: readonly TableColumn[],
  rows: Iterable<readonly string[]>,
  leaving: readonly string[],
): Generator<string> {
  if (process.stdout.isTTY) {
    const text = batchedTable(columns, leaving);
    for (const batch of batchesOf(rows, FIRST_ROWS)) yield text(batch);
    return;
  }
  yield `${columns.map(({ heading }) => heading).join('\t')}\n`;
  const cellOf = (cell: string, column: number) =>
    columns[column]?.cut === 'nothing' ? shown(cell) : cutName(shown(cell));
  for (const row of rows) yield `${row.map(cellOf).join('\t')}\n`;
}

export const whole: Fitting = { cut: 'nothing', min: 0 };
const BAR_WIDTH = 16;
const COUNT_WIDTH = 9;
/** On a terminal with bars: the active part is solid, the rest shaded. A number above 0 is at least one character. */
export function sectionText({ groups }: Section): string {
  const count = (text: string) => (process.stdout.isTTY ? text.padStart(COUNT_WIDTH) : text);
  const columns: readonly TableColumn[] = [
    { name: 'group', heading: '', cut: 'end', min: 14 },
    ...['keys', 'active'].map(name => ({ name, heading: count(name), ...whole })),
  ];
  const rows = groups.map(({ label, keys, active }) => [label, count(number(keys)), count(number(active))]);
  if (!process.stdout.isTTY) return [...tableText(columns, rows, [])].join('');
  const max = Math.max(1, ...groups.map(({ keys }) => keys));
  const [solid, shaded] = showsUnicode() ? ['█', '░'] : ['#', '-'];
  const length = (keys: number) => (keys === 0 ? 0 : Math.max(1, Math.round((keys / max) * BAR_WIDTH)));
  const barOf = ({ keys, active }: Group) => {
    const rest = shaded.repeat(Math.max(0, length(keys) - length(active)));
    return coloured('green', solid.repeat(length(active))) + coloured('gray', rest);
  };
  return batchedTable([...columns, { ...whole, name: 'bar', heading: '', min: BAR_WIDTH }])(
    rows.map(row => [...row, '']),
    (text, row, column) => (column < columns.length ? text : barOf(groups[row] as Group)),
  ).replaceAll(/ +$/gm, '');
}
