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

/**
 * Every subject once a round, so that all of them see the same machine: whatever else it does meanwhile moves the figures far
 * more than the ratios. The less time a round takes, the more alike is the machine within it. Each round begins with
 * another subject. Rounds that aren't counted go before them, to warm up.
 */
export async function compare(
  { rounds, warmUp }: Pick<Bench, 'rounds' | 'warmUp'>,
  subjects: readonly Subject[],
): Promise<Compared[]> {
  const warm = performance.now() + warmUp * 1000;
  do {
    for (const { measure } of subjects) await measure();
  } while (performance.now() < warm);
  const figures = subjects.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    for (const index of inTurn(subjects.length, round))
      figures[index]?.push((await subjects[index]?.measure()) ?? 0);
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

/** The numbers below `count`, beginning with another one in each round. */
function inTurn(count: number, round: number): number[] {
  return Array.from({ length: count }, (_, place) => (place + round) % count);
}

export function ratioOf(compared: readonly Compared[], index: number): Spread {
  const found = compared[index];
  if (!found) throw new Error(`nothing was compared at ${index}`);
  return found.ratio;
}
