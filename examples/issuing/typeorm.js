/** For `writerIn(transaction)` of keyroster: a transaction of TypeORM: its `EntityManager`. */
export const inTypeOrm = manager => ({
  query: async (text, values) => ({ rows: (await manager.queryRunner.query(text, values, true)).records }),
});
