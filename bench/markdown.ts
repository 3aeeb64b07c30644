import type { Compared } from './compare.ts';
import type { Spread } from './statistics.ts';

/** The first column is text, the rest are figures. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = heading.map((_, column) => (column === 0 ? '---' : '---:'));
  return [line(heading), line(rule), ...rows.map(line)];
}

/** What was compared, a row each: the absolute figure, then the ratio to the first. */
export function comparison(figure: string, against: string, compared: readonly Compared[]): string[] {
  const rows = compared.map(({ what, median, ratio }, row) => [
    what,
    quantity(median),
    row === 0 ? '1' : spreadText(ratio, 2),
  ]);
  return table(['', figure, `against ${against}`], rows);
}

/** The median, then where the middle half lies; so many decimals where they are worth something. */
export function spreadText({ median, low, high }: Spread, digits: number): string {
  const text = (figure: number) => (figure < 100 ? figure.toFixed(digits) : quantity(figure));
  const [middle, from, to] = [median, low, high].map(text);
  return from === to ? `${middle}` : `${middle} (${from} to ${to})`;
}

/** With as many digits as it is worth. */
export const quantity = (figure: number) =>
  figure.toLocaleString('en', { maximumSignificantDigits: figure < 1000 ? 2 : 3 });

export const perSecond = (count: number, seconds: number) => quantity(count / seconds);

export const wholeMegabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
