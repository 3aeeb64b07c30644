import { number } from '../../report/sections.ts';
import { shown } from '../terminal/shown.ts';
import type { Layout } from './layout.ts';

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
