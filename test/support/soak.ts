/** Settings of the long tests (`npm run test:soak`). */

/** A run's own, or that of a run to repeat; fast-check names it when it fails. */
export const SOAK_SEED = Number(process.env.KEYROSTER_SOAK_SEED ?? Date.now() % 2 ** 31);

export const SOAK_MINUTES = Number(process.env.KEYROSTER_SOAK_MINUTES ?? 60);
