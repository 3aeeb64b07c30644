import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../support/free-port.ts';
import { seriesOf } from '../../support/metrics-text.ts';
import { fetchJson } from '../../support/service.ts';
import { startTenantService } from '../../support/service-process.ts';
import { postgres } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

test('serve starts while no standby can be reached, reads from the primary, and tells of it', async t => {
  const port = await freePort();
  const metricsPort = await freePort();
  const [gone, other] = [`127.0.0.1:${port}`, 'localhost:1'];
  const {
    log,
    port: servicePort,
    tenants,
  } = await startTenantService(t, {
    kind: postgres,
    tenants: 1,
    env: {
      KEYROSTER_READ_FROM: `postgres://reader:hidden@${gone}/keyroster\n postgres://reader:hidden@${other}/keyroster`,
      KEYROSTER_METRICS_PORT: String(metricsPort),
    },
  });
  const url = `http://127.0.0.1:${servicePort}`;
  const headers = { 'x-api-key': tenants[0]?.secret ?? '', 'vendor-version': '2023-06-01' };
  const page = await fetchJson(`${url}/v1/organizations/api_keys`, headers);
  assert.equal(page.body.data.length, 20);
  await until('the log says so', () => log().includes('a part of the store does not work'));
  assert.deepEqual((await fetchJson(`${url}/readyz`, {})).body, { status: 'degraded' });
  const warnings = log()
    .split('\n')
    .filter(line => line.includes('"level":40'));
  assert.equal(warnings.length, 1, 'one line');
  for (const name of [gone, other])
    assert.match(
      warnings[0] ?? '',
      new RegExp(`"standby ${name}: PostgreSQL: .*ECONNREFUSED.*: its pages are read from the primary"`),
    );
  assert.doesNotMatch(log(), /hidden/);

  const series = seriesOf(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text());
  assert.equal(series.get('keyroster_pages_total{place="primary"}'), 1);
  for (const name of [gone, other]) {
    assert.equal(series.get(`keyroster_pages_total{place="${name}"}`), 0);
    assert.ok((series.get(`keyroster_standby_lag_seconds{standby="${name}"}`) ?? 0) > 0);
  }
});
