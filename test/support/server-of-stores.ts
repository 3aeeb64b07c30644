/** The PostgreSQL in which the tests have their stores. A copy of a migrated database takes a third of what migrating takes. */
import { MODEL_FOLDER, type PostgresServer, startPostgres } from './postgres.ts';
import { runSql } from './run-sql.ts';
import { storeAt } from './store-at.ts';

/** The database on it that new stores are copies of. */
export const MIGRATED = 'keyroster_migrated';

export async function startServerOfStores(): Promise<PostgresServer> {
  const server = await startPostgres();
  if (process.env[MODEL_FOLDER]) return server; // the model has that database
  // In copies of the model the kernel copies the files of a database, in half the time, where PostgreSQL 18 and the system can.
  await runSql(`${server.url}/postgres`, "ALTER SYSTEM SET file_copy_method = 'clone'").catch(() => {});
  await runSql(`${server.url}/postgres`, `CREATE DATABASE ${MIGRATED}`);
  await storeAt(`${server.url}/${MIGRATED}`).migrate();
  return server;
}
