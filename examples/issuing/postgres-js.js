/** For `writerIn(transaction)` of keyroster: a transaction of postgres.js. */
export const inPostgresJs = tx => ({
  query: async (text, values = []) => ({ rows: await tx.unsafe(text, values) }),
});
