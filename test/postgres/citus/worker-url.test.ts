import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePostgresUrl } from '../../../src/postgres/connecting/url.ts';
import { openReader } from '../../../src/postgres/store.ts';
import { StoreUnavailable } from '../../../src/roster/errors.ts';
import { createCitusDatabase, skipWithoutCitus } from '../../support/citus.ts';
import { rolesFile } from '../../support/postgres-roles.ts';
import { createOrganization } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf } from '../../support/scope.ts';
import { startService } from '../../support/service.ts';
import { startStallingProxy } from '../../support/stalling-proxy.ts';
import { storeAt } from '../../support/store-at.ts';
import { until } from '../../support/until.ts';

test('a service whose URL names a worker serves all; while the coordinator is gone, cached admin keys alone, and is not ready', {
  skip: skipWithoutCitus,
}, async t => {
  const database = await createCitusDatabase();
  const proxy = await startStallingProxy(database.coordinator.port);
  atEndOf(t, () => proxy.close());
  atEndOf(t, database.remove);
  await runSql(database.url, `SELECT citus_set_coordinator_host('127.0.0.1', ${proxy.port})`);
  await storeAt(database.url).migrate();
  await runSql(database.url, rolesFile);
  const writer = await storeAt(database.url).openWriter();
  const organizations: { readonly secret: string }[] = [];
  for (let made = 0; made < 8; made += 1) organizations.push(await createOrganization(writer));
  await writer.close();

  const url = Object.assign(new URL(database.workers[0]?.url ?? ''), { username: 'keyroster_reader' });
  const start = async (adminKeyCacheSeconds: number) => {
    const reader = await openReader(parsePostgresUrl(url.href), { adminKeyCacheSeconds });
    atEndOf(t, () => reader.close());
    assert.deepEqual(await reader.checkReadiness(), []);
    const service = await startService(reader);
    atEndOf(t, () => service.close());
    const statuses = async () => {
      const answers = organizations.map(async ({ secret }) => (await service.list(secret)).status);
      return [...new Set(await Promise.all(answers))];
    };
    return { reader, statuses };
  };
  const services = [await start(0), await start(3600)];
  for (const { statuses } of services) assert.deepEqual(await statuses(), [200]);
  proxy.cut();
  for (const [index, { reader, statuses }] of services.entries()) {
    assert.deepEqual(await statuses(), [index === 0 ? 503 : 200]);
    await assert.rejects(reader.checkReadiness(), StoreUnavailable);
  }
  proxy.resume();
  for (const { statuses } of services)
    await until('all pages are served', async () => (await statuses()).every(status => status === 200));
});
