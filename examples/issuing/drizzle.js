/** For `writerIn(transaction)` of keyroster: a transaction of Drizzle over node-postgres. Over postgres-js its `execute` returns the rows themselves: `{ rows: await tx.execute(…) }`. */
import { sql } from 'drizzle-orm';

export const inDrizzle = tx => ({
  query: (text, values = []) =>
    tx.execute(
      sql.join(text.split(/\$(\d+)/).map((part, i) => (i % 2 ? sql.param(values[part - 1]) : sql.raw(part)))),
    ),
});
