import type { Compared } from './compare.ts';
import type { Spread } from './statistics.ts';

/** The first column is text, the others are figures. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = heading.map((_, column) => (column === 0 ? '---' : '---:'));
  return [line(heading), line(rule), ...rows.map(line)];
}

/** A row for each subject: its figure, then its ratio to the first one's. */
export function comparison(figure: string, against: string, compared: readonly Compared[]): string[] {
  const rows = compared.map(({ label, median, ratio }, row) => [
    label,
    quantity(median),
    row === 0 ? '1' : spreadText(ratio, 2),
  ]);
  return table(['', figure, `against ${against}`], rows);
}

/** The median and the range of the middle half. Figures below 100 get this many decimals. */
export function spreadText({ median, low, high }: Spread, digits: number): string {
  const text = (figure: number) => (figure < 100 ? figure.toFixed(digits) : quantity(figure));
  const [middle, from, to] = [median, low, high].map(text);
  return from === to ? `${middle}` : `${middle} (${from} to ${to})`;
}

/** Two significant digits; three from 1,000 on. */
export const quantity = (figure: number) =>
  figure.toLocaleString('en', { maximumSignificantDigits: figure < 1000 ? 2 : 3 });
