import type { Bench } from './bench.ts';
import { median, type Spread, spread } from './statistics.ts';

export interface Subject {
  readonly what: string;
  /** Measures once. */
  readonly measure: () => Promise<number>;
}

export interface Compared {
  readonly what: string;
  readonly median: number;
  /** Against the first subject, in each round by itself. */
  readonly ratio: Spread;
}

/** A process is slow until its code is compiled: so many times a measurement's length goes before the first. */
export const WARM_UP = 12;

/**
 * Every subject once a round, in turn, so that all of them see the same machine: whatever else it does meanwhile moves the
 * figures far more than the ratios. Rounds that aren't counted go before them, to warm up.
 */
export async function compare(
  { rounds, seconds }: Pick<Bench, 'rounds' | 'seconds'>,
  subjects: readonly Subject[],
): Promise<Compared[]> {
  const warm = performance.now() + WARM_UP * seconds * 1000;
  do {
    for (const { measure } of subjects) await measure();
  } while (performance.now() < warm);
  const figures = subjects.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { measure }] of subjects.entries()) figures[index]?.push(await measure());
  }
  const base = figures[0] ?? [];
  return subjects.map(({ what }, index) => {
    const own = figures[index] ?? [];
    return {
      what,
      median: median(own),
      ratio: spread(own.map((figure, round) => figure / (base[round] ?? 0))),
    };
  });
}

export function ratioOf(compared: readonly Compared[], index: number): Spread {
  const found = compared[index];
  if (!found) throw new Error(`nothing was compared at ${index}`);
  return found.ratio;
}
