import { test } from 'node:test';
import { readerOf } from '../../support/opened.ts';
import { type PostgresServer, startPostgres, startStandby } from '../../support/postgres.ts';
import { atEndOf } from '../../support/scope.ts';
import { storeAt } from '../../support/store-at.ts';
import { until } from '../../support/until.ts';

const databaseOf = ({ url }: PostgresServer) => `${url}/postgres`;

test('a standby that receives nothing from its primary says so', async t => {
  const primary = await startPostgres();
  atEndOf(t, () => primary.stop());
  await storeAt(databaseOf(primary)).migrate();
  await primary.kill('SIGINT');
  const standby = await startStandby(primary, primary.port);
  atEndOf(t, () => standby.stop());
  await primary.start();
  const reader = await readerOf(t, storeAt(databaseOf(standby)));
  await until('it is connected', async () => (await reader.checkReadiness()).length === 0);
  await primary.kill('SIGINT');
  const isTold = async () => /^this standby receives nothing/.test((await reader.checkReadiness()).join());
  await until('it is told', isTold);
});
