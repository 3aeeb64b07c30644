export interface Spread {
  readonly median: number;
  /** The middle half of the figures lies between `low` and `high`. With three figures or fewer, all of them do. */
  readonly low: number;
  readonly high: number;
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export function spread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const at = (index: number) => sorted[index] ?? 0;
  return { median: median(figures), low: at(Math.floor(last / 4)), high: at(Math.ceil((3 * last) / 4)) };
}
