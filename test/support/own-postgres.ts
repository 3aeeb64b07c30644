/** A PostgreSQL of the test's own, with settings, TLS and a pg_hba.conf that no other test may see. */
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePair } from './certificate.ts';
import { startPostgres } from './postgres.ts';
import { runSql } from './run-sql.ts';
import { atEndOf, type Scope } from './scope.ts';

export type OwnPostgres = Awaited<ReturnType<typeof ownPostgres>>;

/** @param hba the lines of pg_hba.conf, before which the administrator is let in. */
export async function ownPostgres(scope: Scope, hba: readonly string[], sql = '') {
  const server = await startPostgres();
  atEndOf(scope, () => server.stop());
  const { uid, gid } = statSync(server.dataFolder);
  /** Its certificate, which is also its CA, for `localhost` and 127.0.0.1. */
  const pair = makePair();
  const write = (name: string, text: string) => {
    const file = join(server.dataFolder, name);
    writeFileSync(file, text, { mode: 0o600 });
    chownSync(file, uid, gid);
  };
  write('server.crt', pair.cert);
  write('server.key', pair.key);
  write('pg_hba.conf', ['host all postgres all scram-sha-256', ...hba, ''].join('\n'));
  const url = `${server.url}/postgres`;
  await runSql(url, 'ALTER SYSTEM SET ssl = on');
  if (sql !== '') await runSql(url, sql);
  await runSql(url, 'SELECT pg_reload_conf()');
  return { ...server, pair };
}
