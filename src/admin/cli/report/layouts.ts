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
export function* tableText<Row>(
  columns: readonly TableColumn<Row>[],
  rows: Iterable<Row>,
  leaving: readonly string[] = [],
): Generator<string> {
  if (process.stdout.isTTY) {
    const text = batchedTable(columns, leaving);
    for (const batch of batchesOf(rows, FIRST_ROWS)) yield text(batch);
    return;
  }
  yield `${columns.map(({ heading }) => heading).join('\t')}\n`;
  const cellOf = (text: string, cut: string) => (cut === 'nothing' ? shown(text) : cutName(shown(text)));
  for (const row of rows) yield `${columns.map(({ cell, cut }) => cellOf(cell(row), cut)).join('\t')}\n`;
}

export const whole: Fitting = { cut: 'nothing', min: 0 };
const BAR_WIDTH = 16;
const COUNT_WIDTH = 9;
/** On a terminal with bars: the active part is solid, the rest shaded. A number above 0 is at least one character. */
export function sectionText({ groups }: Section): string {
  const count = (text: string) => (process.stdout.isTTY ? text.padStart(COUNT_WIDTH) : text);
  const columns: readonly TableColumn<Group>[] = [
    { name: 'group', heading: '', cell: ({ label }) => label, cut: 'end', min: 14 },
    { name: 'keys', heading: count('keys'), cell: ({ keys }) => count(number(keys)), ...whole },
    { name: 'active', heading: count('active'), cell: ({ activeText }) => count(activeText), ...whole },
  ];
  if (!process.stdout.isTTY) return [...tableText(columns, groups)].join('');
  const max = Math.max(1, ...groups.map(({ keys }) => keys));
  const [solid, shaded] = showsUnicode() ? ['█', '░'] : ['#', '-'];
  const length = (keys: number) => (keys === 0 ? 0 : Math.max(1, Math.round((keys / max) * BAR_WIDTH)));
  const barOf = ({ keys, active }: Group) => {
    const rest = shaded.repeat(Math.max(0, length(keys) - length(active)));
    return coloured('green', solid.repeat(length(active))) + coloured('gray', rest);
  };
  const bars = {
    name: 'bar',
    heading: '',
    cell: () => '',
    styled: (_: string, group: Group) => barOf(group),
  };
  return batchedTable([...columns, { ...bars, ...whole, min: BAR_WIDTH }])(groups).replaceAll(/ +$/gm, '');
}
