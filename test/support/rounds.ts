/** A soak runs so many times the random cases. */
const TIMES = Number(process.env.KEYROSTER_TEST_TIMES ?? 1);

/** How many random cases a test has: this many in `npm test`. */
export const rounds = (number: number): number => number * TIMES;
