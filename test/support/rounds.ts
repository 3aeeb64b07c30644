/** A soak runs so many times the random cases. */
const TIMES = Number(process.env.KEYROSTER_TEST_TIMES ?? 1);

/** How many random cases a test has: this many in `npm test`. */
export const rounds = (number: number): number => number * TIMES;

/** Random, or the seed of a run to repeat; fast-check prints it when a test fails. */
export const SOAK_SEED = Number(process.env.KEYROSTER_SOAK_SEED ?? Date.now() % 2 ** 31);

export const SOAK_MINUTES = Number(process.env.KEYROSTER_SOAK_MINUTES ?? 60);
