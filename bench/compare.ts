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
    for (const [index, { measure }] of beginningAt(round, [...subjects.entries()]))
      figures[index]?.push(await measure());
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

/** The same in a circle, from another one on in each round. */
function beginningAt<T>(round: number, all: readonly T[]): T[] {
  const first = round % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

export function ratioOf(compared: readonly Compared[], index: number): Spread {
  const found = compared[index];
  if (!found) throw new Error(`nothing was compared at ${index}`);
  return found.ratio;
}
