import type { Spread } from './statistics.ts';

/** One measurement, as a section of docs/benchmarks.md. */
export interface Section {
  readonly title: string;
  /** What is measured and how, where this differs from the document's "Method". */
  readonly about?: string;
  readonly lines?: readonly string[];
  readonly goals?: readonly Goal[];
}

export interface Goal {
  readonly label: string;
  readonly goal: string;
  readonly measured: string;
  readonly reached: boolean;
}

export function atLeast(label: string, min: number, { median }: Pick<Spread, 'median'>): Goal {
  return { label, goal: `at least ${min.toFixed(2)}`, measured: median.toFixed(2), reached: median >= min };
}

export function atMost(label: string, max: number, figure: number, unit = ''): Goal {
  const text = (number: number) => `${Number(number.toFixed(1))}${unit}`;
  return { label, goal: `at most ${text(max)}`, measured: text(figure), reached: figure <= max };
}
