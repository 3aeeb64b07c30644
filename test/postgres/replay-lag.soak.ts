import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreUnavailable } from '../../src/roster/errors.ts';
import { type PostgresServer, startPostgres, startStandby } from '../support/postgres.ts';
import { createOrganization } from '../support/roster.ts';
import { runSql } from '../support/run-sql.ts';
import { atEndOf } from '../support/scope.ts';
import { storeAt } from '../support/store-at.ts';

const databaseOf = ({ url }: PostgresServer) => `${url}/postgres`;

test('a standby says that it is behind after 10 s, and is not ready after 60 s, but only when there is something to replay', async t => {
  const primary = await startPostgres();
  atEndOf(t, () => primary.stop());
  await storeAt(databaseOf(primary)).migrate();
  await primary.kill('SIGINT');
  const standby = await startStandby(primary, primary.port);
  atEndOf(t, () => standby.stop());
  await primary.start();
  const reader = await storeAt(databaseOf(standby)).openReader();
  atEndOf(t, () => reader.close());
  const write = async () => {
    const writer = await storeAt(databaseOf(primary)).openWriter();
    const { id } = await createOrganization(writer);
    await writer.close();
    return id;
  };

  await write();
  await wait(12_000);
  assert.deepEqual(await reader.checkReadiness(), []); // idle, and not behind
  await runSql(databaseOf(standby), 'SELECT pg_wal_replay_pause()');
  const id = await write();
  assert.deepEqual(await reader.checkReadiness(), []);
  await wait(12_000);
  assert.match((await reader.checkReadiness()).join(), /^this standby is \d\d s behind/);
  await wait(60_000);
  await assert.rejects(
    reader.checkReadiness(),
    error => error instanceof StoreUnavailable && /behind/.test(error.message),
  );
  await runSql(databaseOf(standby), 'SELECT pg_wal_replay_resume()');
  const isReplayed = async () =>
    (await runSql(databaseOf(standby), `SELECT FROM keyroster.organizations WHERE id = '${id}'`)).length > 0;
  while (!(await isReplayed())) await wait(100);
  assert.deepEqual(await reader.checkReadiness(), []);
  await primary.kill('SIGINT');
  await wait(2_000);
  assert.match((await reader.checkReadiness()).join(), /^this standby receives nothing from its primary/);
});
