/** For `writerIn(transaction)` of keyroster: a transaction of Prisma: `prisma.$transaction(tx => writerIn(inPrisma(tx), …).put(…))`. */
export const inPrisma = tx => ({
  query: async (text, values = []) => ({ rows: await tx.$queryRawUnsafe(text, ...values) }),
});
