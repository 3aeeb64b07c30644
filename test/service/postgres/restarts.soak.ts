import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstKeys, modelPage } from '../../support/changing-roster.ts';
import { KeepAliveClient, type RawAnswer } from '../../support/keep-alive-client.ts';
import { readerOf } from '../../support/opened.ts';
import { startPostgres, startStandby } from '../../support/postgres.ts';
import { organizationIn } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';
import { atEndOf } from '../../support/scope.ts';
import { serveStore } from '../../support/service.ts';
import { storeAt } from '../../support/store-at.ts';
import { until } from '../../support/until.ts';

const RESTARTS = rounds(3);
const CALLERS = 8;
const PAGES_BETWEEN = 100;
/** Counted from when PostgreSQL accepts connections again. */
const MAX_RECOVERY_MS = 5_000;

test(`during ${RESTARTS} restarts of PostgreSQL under load, every answer is the exact page or a 503, and each time the service recovers`, async t => {
  const server = await startPostgres();
  atEndOf(t, () => server.stop());
  const store = storeAt(`${server.url}/postgres`);
  await store.migrate();
  const keys = firstKeys(100);
  const { secret } = await organizationIn(store, keys);
  const page = modelPage(keys, { limit: 50, cursor: null, filter: {} });

  const service = await serveStore(t, store);
  const client = new KeepAliveClient(service.port, CALLERS);
  atEndOf(t, () => client.close());

  const counts = { 200: 0, 503: 0 };
  const headers = { 'x-api-key': secret, 'vendor-version': '2023-06-01' };
  const list = async () => {
    const answer = await client.get('/v1/organizations/api_keys?limit=50', headers);
    if (answer.status === 200) assert.deepEqual(JSON.parse(answer.body), page);
    else assertUnavailable(answer);
    counts[answer.status as 200 | 503] += 1;
    return answer.status;
  };
  let done = false;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!done) await list();
  });
  const load = Promise.all(callers);
  load.catch(() => {}); // awaited below, where a failure is reported

  let slowest = 0;
  try {
    for (let number = 0; number < RESTARTS; number++) {
      for (const target = counts[200] + PAGES_BETWEEN; counts[200] < target; ) await list();
      await server.kill(number % 2 === 0 ? 'SIGINT' : 'SIGQUIT');
      assert.equal(await list(), 503);
      await server.start();
      const restarted = performance.now();
      const waited = () => performance.now() - restarted;
      while ((await list()) !== 200)
        assert.ok(waited() < MAX_RECOVERY_MS, `not served after restart ${number}`);
      slowest = Math.max(slowest, waited());
    }
  } finally {
    done = true;
  }
  await load;
  t.diagnostic(`${counts[200]} pages, ${counts[503]} 503s, recovered within ${Math.round(slowest)} ms`);
  assert.ok(slowest < MAX_RECOVERY_MS);
});

function assertUnavailable({ status, headers, body }: RawAnswer): void {
  assert.equal(status, 503);
  assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
  // Overloaded where a busy machine delays requests for too long.
  assert.match(JSON.parse(body).error.type, /^(api|overloaded)_error$/);
}

test('a standby that receives nothing from its primary says so', async t => {
  const primary = await startPostgres();
  atEndOf(t, () => primary.stop());
  await storeAt(`${primary.url}/postgres`).migrate();
  await primary.kill('SIGINT');
  const standby = await startStandby(primary, primary.port);
  atEndOf(t, () => standby.stop());
  await primary.start();
  const reader = await readerOf(t, storeAt(`${standby.url}/postgres`));
  await until('it is connected', async () => (await reader.checkReadiness()).length === 0);
  await primary.kill('SIGINT');
  const isTold = async () => /^this standby receives nothing/.test((await reader.checkReadiness()).join());
  await until('it is told', isTold);
});
