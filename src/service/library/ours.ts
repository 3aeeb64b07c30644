/** What a service over a store of ours may have. */
import type { Registry } from 'prom-client';
import type { Console } from '../api/console.ts';
import type { Metrics } from '../api/metrics.ts';
import { withMetrics } from '../optional-packages.ts';
import { objectWith, trueOrFalse } from '../options.ts';
import { SETTINGS } from '../settings.ts';

export { adminKeyAuthentication } from '../api/admin-keys.ts';

/** The options that are for it alone. */
export const OUR_OPTIONS = {
  database: { ...SETTINGS.database, byDefault: undefined },
  metrics: objectWith<Registry>('registerMetric', 'getSingleMetric', 'removeSingleMetric'),
  console: { ...trueOrFalse, byDefault: false }, // a bundle has no files of it
} as const;

export async function metricsIn(registry: Registry): Promise<Metrics> {
  const { Metrics } = await withMetrics(() => import('../api/metrics.ts'));
  const name = 'keyroster_http_request_duration_seconds';
  if (registry.getSingleMetric(name))
    throw new TypeError(
      'metrics: another Keyroster has its metrics in this registry: close it first, or give another registry',
    );
  return new Metrics(registry, name);
}

export async function requireConsole(): Promise<Console> {
  const console = await (await import('../api/console.ts')).readConsole();
  if (!console)
    throw new TypeError(
      'console: its files are not there: run keyroster from its package, not from a bundle',
    );
  return console;
}
