/** The PostgreSQL in which the tests have their stores. A copy of a migrated database takes a third of what migrating takes. */
import { MODEL_FOLDER, type PostgresServer, startPostgres } from './postgres.ts';
import { runSql } from './run-sql.ts';
import { storeAt } from './store-at.ts';

/** The database on it that new stores are copies of. */
export const MIGRATED = 'keyroster_migrated';

export async function startServerOfStores(): Promise<PostgresServer> {
  const server = await startPostgres();
  if (process.env[MODEL_FOLDER]) return server; // the model has that database
  await runSql(`${server.url}/postgres`, `CREATE DATABASE ${MIGRATED}`);
  await storeAt(`${server.url}/${MIGRATED}`).migrate();
  return server;
}
