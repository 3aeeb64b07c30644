import type { Figures } from './roster-report.ts';
import { StatusCounts } from './status-counts.ts';

/** Keys by the month in which they were created, in UTC. */
export class Months {
  /** By the number of months since the year 0. */
  readonly #months = new Map<number, StatusCounts>();

  /** `timeMs` may have a fraction. */
  add(timeMs: number, status: string): void {
    const date = new Date(Math.floor(timeMs));
    const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
    let counts = this.#months.get(month);
    if (counts === undefined) {
      counts = new StatusCounts();
      this.#months.set(month, counts);
    }
    counts.add(status);
  }

  counts(): Figures['by_month'] {
    const inOrder = [...this.#months].sort(([a], [b]) => a - b);
    return inOrder.map(([month, counts]) => ({ month: textOf(month), ...counts.count() }));
  }
}

function textOf(month: number): string {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / 12), month % 12);
  return date.toISOString().slice(0, '2026-11'.length);
}
