/** For `writerIn(transaction)` of keyroster: a transaction of Kysely. */
import { CompiledQuery } from 'kysely';

export const inKysely = trx => ({
  query: (text, values = []) => trx.withoutPlugins().executeQuery(CompiledQuery.raw(text, values)),
});
