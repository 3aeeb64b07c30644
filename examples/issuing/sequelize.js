/** For `writerIn(transaction)` of keyroster: a transaction of Sequelize. */
export const inSequelize = transaction => ({
  query: async (text, bind) => ({
    rows: await transaction.sequelize.query(text, { bind, transaction, type: 'SELECT' }),
  }),
});
