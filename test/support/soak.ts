/** Settings of the long tests (`npm run test:soak`). */

/** Random, or the seed of a run to repeat; fast-check prints it when a test fails. */
export const SOAK_SEED = Number(process.env.KEYROSTER_SOAK_SEED ?? Date.now() % 2 ** 31);

export const SOAK_MINUTES = Number(process.env.KEYROSTER_SOAK_MINUTES ?? 60);
