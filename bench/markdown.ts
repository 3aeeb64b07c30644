import { spread } from './statistics.ts';

/** One measurement as it stands in docs/benchmarks.md. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The first column is text, the rest are figures. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = heading.map((_, column) => (column === 0 ? '---' : '---:'));
  return [line(heading), line(rule), ...rows.map(line)];
}

/** The median, then the least and the most. */
export function spreadText(figures: readonly number[], digits: number): string {
  const [median, least, most] = spread(figures).map(figure => figure.toFixed(digits));
  return least === most ? `${median}` : `${median} (${least} to ${most})`;
}

export const perSecond = (count: number, seconds: number) =>
  (Math.round(count / seconds / 100) * 100).toLocaleString('en');

export const wholeMegabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
