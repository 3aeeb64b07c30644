/** For `writerIn(transaction)` of keyroster: a transaction of Knex. */
export const inKnex = trx => ({
  query: (text, values = []) =>
    trx.raw(
      text.replace(/\$\d+/g, '?'),
      Array.from(text.matchAll(/\$(\d+)/g), ([, n]) => values[n - 1]),
    ),
});
