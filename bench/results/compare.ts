import { median, type Spread, spread } from './statistics.ts';

export interface Subject {
  readonly label: string;
  /** Measures once. */
  readonly measure: () => Promise<number>;
}

export interface Compared {
  readonly label: string;
  readonly median: number;
  /** To the first subject, taken within each round. */
  readonly ratio: Spread;
  /** Of each round. */
  readonly figures: readonly number[];
}

export interface Rounds {
  readonly rounds: number;
  /** Seconds before the first round, in which results are discarded: a process is slow until its code is compiled. */
  readonly warmUp: number;
}

/**
 * Measures every subject once per round. Whatever else the machine does changes the figures far more than the ratios, since all
 * subjects of a round see the same machine. That holds better the shorter a round is. Each round starts with a different subject.
 */
export async function compare({ rounds, warmUp }: Rounds, subjects: readonly Subject[]): Promise<Compared[]> {
  const warm = performance.now() + warmUp * 1000;
  do {
    for (const { measure } of subjects) await measure();
  } while (performance.now() < warm);
  const figures = subjects.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { measure }] of rotated([...subjects.entries()], round))
      figures[index]?.push(await measure());
  }
  const base = figures[0] ?? [];
  return subjects.map(({ label }, index) => {
    const own = figures[index] ?? [];
    return {
      label,
      median: median(own),
      ratio: spread(own.map((figure, round) => figure / (base[round] ?? 0))),
      figures: own,
    };
  });
}

/** The same items in a circle, starting `by` items later. */
function rotated<T>(all: readonly T[], by: number): T[] {
  const first = by % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

/** One subject's rate to another's, taken within each round. */
export function ratioOf(compared: readonly Compared[], index: number, other = 0): Spread {
  const figuresOf = (index: number) => {
    const found = compared[index];
    if (!found) throw new Error(`nothing was compared at ${index}`);
    return found.figures;
  };
  const others = figuresOf(other);
  return spread(figuresOf(index).map((figure, round) => figure / (others[round] ?? 0)));
}
