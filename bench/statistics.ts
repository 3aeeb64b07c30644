export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export function spread(figures: readonly number[]): Spread {
  return { median: median(figures), least: Math.min(...figures), most: Math.max(...figures) };
}
