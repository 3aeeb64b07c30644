import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AllMetrics } from '../../../src/operator/serve/workers/all-metrics.ts';
import { processMetrics } from '../../../src/service/server/metrics-server.ts';
import { VENDOR } from '../../support/roster.ts';
import { startService, stubReader } from '../../support/service.ts';

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const rules = read('deploy/prometheus-alerts.yaml');
const dashboard = JSON.parse(read('docs/grafana-dashboard.json'));

const expressions = {
  'the alert rules': [...rules.matchAll(/expr: (.*)/g)].map(([, expression]) => String(expression)),
  'the dashboard': dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  ) as string[],
};

for (const [where, all] of Object.entries(expressions))
  test(`every metric named by ${where} exists`, async t => {
    const metrics = processMetrics();
    const { reader, secret } = stubReader();
    const service = await startService(reader, VENDOR, { metrics });
    t.after(() => service.close());
    await service.list(secret);
    const ofWorkers = await new AllMetrics(2).collect([]);
    // And what the units write for the node exporter.
    const [, ofUnits] = /echo "(\w+)\{/.exec(read('deploy/keyroster-backup.service')) ?? [];
    const text = `${await metrics.registry.metrics()}${await ofWorkers.metrics()}\n${ofUnits}`;

    assert.ok(all.length > 0);
    for (const expression of all)
      for (const [name] of expression.matchAll(/\b(?:http|keyroster|nodejs|process)_[a-z0-9_]+/g)) {
        const type = `# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `;
        assert.match(text, new RegExp(`^${type}|^${name}`, 'm'), expression);
      }
  });

test('what has not happened yet is 0, so that its first time is an increase', async () => {
  const text = await processMetrics().registry.metrics();
  for (const series of [
    'http_request_duration_seconds_count{method="GET",route="/v1/organizations/api_keys",status="500"}',
    'keyroster_store_read_duration_seconds_count{read="list_api_keys"}',
    'keyroster_store_read_failures_total{read="find_admin_key"}',
    'keyroster_failed_authentications_total',
    'keyroster_refused_connections_total',
    'keyroster_failed_tls_handshakes_total',
    'keyroster_log_lines_dropped_total',
  ])
    assert.ok(text.includes(`\n${series} 0\n`), series);
});
