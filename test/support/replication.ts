/** A primary with a migrated store, and standbys that replicate from it. */
import { type PostgresServer, startPostgres, startStandby } from './postgres.ts';
import { runSql } from './run-sql.ts';
import { atEndOf, type Scope } from './scope.ts';
import { storeAt } from './store-at.ts';

export interface Replication {
  readonly primary: PostgresServer;
  readonly standbys: readonly PostgresServer[];
}

/** The administrator's URL of the database of the store. */
export const databaseOf = ({ url }: PostgresServer) => `${url}/postgres`;

export async function startReplication(scope: Scope, standbys: number): Promise<Replication> {
  const primary = await startPostgres();
  atEndOf(scope, () => primary.stop());
  await storeAt(databaseOf(primary)).migrate();
  await primary.kill('SIGINT');
  const started: PostgresServer[] = [];
  for (let number = 0; number < standbys; number++) {
    const standby = await startStandby(primary, primary.port);
    atEndOf(scope, () => standby.stop());
    started.push(standby);
  }
  await primary.start();
  return { primary, standbys: started };
}

/** From now on the standby shows nothing new. */
export const pauseReplay = (standby: PostgresServer) =>
  runSql(databaseOf(standby), 'SELECT pg_wal_replay_pause()');
export const resumeReplay = (standby: PostgresServer) =>
  runSql(databaseOf(standby), 'SELECT pg_wal_replay_resume()');
