/** How the parts of the report look where they are read: on a terminal, or in a file, a pipe or a mail. */

import { coloured, showsUnicode } from '../../../shared/command/terminal/capabilities.ts';
import { batchedTable, type TableColumn } from '../../../shared/command/terminal/fitted-columns.ts';
import { DEFAULT_WIDTH, fit, fittingWidths } from '../../../shared/command/terminal/fitted-table.ts';
import { shown } from '../../../shared/command/terminal/shown.ts';
import { type Group, number, type Section } from '../../report/sections.ts';

interface Layout {
  section(section: Section): string;
  /** @param leaving the columns that may be left out where it is narrow, in that order. */
  table(
    columns: readonly TableColumn[],
    batches: Iterable<readonly (readonly string[])[]>,
    leaving: readonly string[],
  ): Iterable<string>;
}

/** In code points. A report is read, so 1,000 characters of a name are too many; JSON and CSV have all of them. */
const MAX_CELL = 60;

/**
 * A row a line, with tabs between the cells and nothing padded: cron mails the report, and one long name must not make each line
 * as long. An ID is never cut: it is there to be copied.
 */
export const tabbedLayout: Layout = {
  section: ({ groups }) =>
    lines([
      ['', 'keys', 'active'],
      ...groups.map(({ label, keys, active }) => [cutText(shown(label)), number(keys), number(active)]),
    ]),
  *table(columns, batches) {
    yield lines([columns.map(({ heading }) => heading)]);
    for (const rows of batches)
      yield lines(
        rows.map(row => row.map((cell, column) => (column === 0 ? shown(cell) : cutText(shown(cell))))),
      );
  },
};

const lines = (rows: readonly (readonly string[])[]) => rows.map(row => `${row.join('\t')}\n`).join('');

function cutText(text: string): string {
  if (text.length <= MAX_CELL) return text;
  const characters = Array.from(text);
  return characters.length <= MAX_CELL ? text : `${characters.slice(0, MAX_CELL - 3).join('')}...`;
}

/** A longer label would leave too little room for the bar. */
const MAX_LABEL = 36;
const MIN_LABEL = 18;
const MIN_BAR = 10;
const COUNT_WIDTH = 10;

/** Tables that are cut to the terminal's width, and bars. */
export function terminalLayout(): Layout {
  const width = process.stdout.columns || DEFAULT_WIDTH;
  return {
    section: ({ groups }) => bars(groups, width),
    *table(columns, batches, leaving) {
      const text = batchedTable(columns, leaving);
      for (const rows of batches) yield text(rows);
    },
  };
}

function bars(groups: readonly Group[], width: number): string {
  const labelWidths = fittingWidths(
    groups.map(({ label }) => [label]),
    Infinity,
  );
  const room = width - 2 * (COUNT_WIDTH + 1) - 2 - MIN_BAR;
  const labelWidth = Math.min(MAX_LABEL, Math.max(MIN_LABEL, room), Math.max(...labelWidths));
  const barWidth = Math.max(MIN_BAR, width - labelWidth - 2 * (COUNT_WIDTH + 1) - 2);
  const max = Math.max(1, ...groups.map(({ keys }) => keys));
  const counts = (keys: string, active: string) =>
    `${keys.padStart(COUNT_WIDTH)} ${active.padStart(COUNT_WIDTH)}`;
  const lines = groups.map(
    group =>
      `${fit(group.label, labelWidth)} ${counts(number(group.keys), number(group.active))}  ${bar(group, max, barWidth)}`,
  );
  const head = `${' '.repeat(labelWidth)} ${counts('keys', 'active')}`;
  return [head, ...lines.map(line => line.trimEnd())].map(line => `${line}\n`).join('');
}

/** The active part is solid, the rest shaded. A number above 0 is at least one character. */
function bar({ keys, active }: Group, max: number, width: number): string {
  const length = keys === 0 ? 0 : Math.max(1, Math.round((keys / max) * width));
  const full = active === 0 ? 0 : Math.max(1, Math.round((active / keys) * length));
  const [solid, shaded] = showsUnicode() ? ['█', '░'] : ['#', '-'];
  return coloured('green', solid.repeat(full)) + coloured('gray', shaded.repeat(length - full));
}
