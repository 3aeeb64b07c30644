/** The options of `serve` alone, each with its environment variable, its default and its parser. */
import { availableParallelism } from 'node:os';
import { Option } from 'commander';
import { MAX_RATE_LIMIT } from '../../api/limits.ts';
import { LOG_LEVELS, type LogLevel, REQUEST_LOGS, type RequestLog } from '../../api/log-levels.ts';
import { API_VERSION_RULE, parseApiVersions } from '../../roster/api-version.ts';
import { NETWORKS_RULE, parseNetworks } from '../../roster/network.ts';
import { CACHES } from '../../stores.ts';
import { type ReadFromOptions, readFromOptions, standbysOf } from './read-from.ts';
import { durationOf, hostOf, numberOf, portOf, required } from './shared-options.ts';
import { UsageError } from './usage-error.ts';

/** Each takes a core and at least 60 MB. */
const MAX_WORKERS = 256;

export const serveOptions = () => [
  new Option('--workers <number>', 'processes that answer requests; auto: one for each core')
    .env('KEYROSTER_WORKERS')
    .default('1'),
  ...readFromOptions(),
  new Option(
    '--tls-cert <file>',
    'serve HTTPS with this certificate and its chain, PEM (default: plain HTTP)',
  ).env('KEYROSTER_TLS_CERT'),
  new Option('--tls-key <file>', 'the private key of the certificate, PEM').env('KEYROSTER_TLS_KEY'),
  new Option(
    '--admin-key-cache <seconds>',
    'PostgreSQL: how long an admin key is cached; 0 turns the cache off',
  )
    .env('KEYROSTER_ADMIN_KEY_CACHE')
    .default(String(CACHES.adminKeySeconds.default)),
  new Option('--page-cache <MiB>', 'SQLite: memory for cached pages; 0 turns the cache off')
    .env('KEYROSTER_PAGE_CACHE')
    .default(String(CACHES.pageMiB.default)),
  new Option('--rate-limit <number>', 'requests a minute for each admin key; 0 turns all rate limits off')
    .env('KEYROSTER_RATE_LIMIT')
    .default('6000'),
  new Option(
    '--trust-proxy <addresses>',
    'proxies whose x-forwarded-for is trusted: addresses or networks, separated by commas (default: none)',
  ).env('KEYROSTER_TRUST_PROXY'),
  new Option(
    '--max-admin-key-age <duration>',
    'how long after its creation an admin key works at most, such as 365d (default: as long as it is valid)',
  ).env('KEYROSTER_MAX_ADMIN_KEY_AGE'),
  new Option('--bearer', 'accept the admin key in authorization: Bearer too').env('KEYROSTER_BEARER'),
  new Option(
    '--also-version <dates>',
    'more API versions to accept, answered like 2023-06-01: dates, separated by commas (default: none)',
  ).env('KEYROSTER_ALSO_VERSION'),
  new Option('--max-connections <number>', 'max open connections')
    .env('KEYROSTER_MAX_CONNECTIONS')
    .default('5000'),
  new Option(
    '--max-unread <MiB>',
    'memory for pages that clients have not read yet; one admin key: a quarter',
  )
    .env('KEYROSTER_MAX_UNREAD')
    .default('64'),
  new Option(
    '--keep-alive <seconds>',
    'how long an idle connection stays open; set it longer than the proxy does',
  )
    .env('KEYROSTER_KEEP_ALIVE')
    .default('5'),
  new Option(
    '--shutdown-delay <seconds>',
    'how long to keep serving after the signal to stop, while /readyz fails',
  )
    .env('KEYROSTER_SHUTDOWN_DELAY')
    .default('0'),
  new Option('--log-level <level>', 'lowest level to log')
    .choices(LOG_LEVELS)
    .env('KEYROSTER_LOG_LEVEL')
    .default('info'),
  new Option(
    '--log-requests <which>',
    'lines of requests: full, sampled (1 in 100 of those that did not fail) or off',
  )
    .choices(REQUEST_LOGS)
    .env('KEYROSTER_LOG_REQUESTS')
    .default('full'),
  new Option(
    '--metrics-port <number>',
    'the port of /metrics, for Prometheus; 0 picks a free one (default: no metrics)',
  ).env('KEYROSTER_METRICS_PORT'),
  new Option('--metrics-host <address>', 'the address of /metrics (default: 127.0.0.1)').env(
    'KEYROSTER_METRICS_HOST',
  ),
  new Option('--no-compression', 'send large answers as they are').env('KEYROSTER_NO_COMPRESSION'),
  new Option('--no-console', 'leave the web console out').env('KEYROSTER_NO_CONSOLE'),
];

export interface ServeOptions extends ReadFromOptions {
  readonly workers: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly adminKeyCache: string;
  readonly pageCache: string;
  readonly rateLimit: string;
  readonly trustProxy?: string;
  readonly maxAdminKeyAge?: string;
  readonly bearer?: boolean;
  readonly alsoVersion?: string;
  readonly maxConnections: string;
  readonly maxUnread: string;
  readonly keepAlive: string;
  readonly shutdownDelay: string;
  readonly logLevel: LogLevel;
  readonly logRequests: RequestLog;
  readonly metricsPort?: string;
  readonly metricsHost?: string;
  readonly compression: boolean;
  readonly console: boolean;
}

export function serveSettings(options: ServeOptions) {
  return {
    workers: workersOf(options.workers),
    tlsFiles: tlsFilesOf(options),
    standbys: standbysOf(options),
    caches: {
      adminKeyCacheSeconds: numberOf(
        '--admin-key-cache',
        options.adminKeyCache,
        0,
        CACHES.adminKeySeconds.max,
      ),
      pageCacheBytes: numberOf('--page-cache', options.pageCache, 0, CACHES.pageMiB.max) * 2 ** 20,
    },
    rateLimit: numberOf('--rate-limit', options.rateLimit, 0, MAX_RATE_LIMIT),
    trustedProxies: options.trustProxy
      ? required('--trust-proxy', parseNetworks(options.trustProxy), NETWORKS_RULE)
      : [],
    maxAdminKeyAge:
      options.maxAdminKeyAge === undefined ? null : durationOf('--max-admin-key-age', options.maxAdminKeyAge),
    bearer: options.bearer ?? false,
    compression: options.compression,
    versions: versionsOf(options),
    maxConnections: numberOf('--max-connections', options.maxConnections, 1, 1_000_000),
    maxUnreadBytes: numberOf('--max-unread', options.maxUnread, 1, 65_536) * 2 ** 20,
    keepAliveSeconds: numberOf('--keep-alive', options.keepAlive, 1, 3600),
    shutdownDelayMs: numberOf('--shutdown-delay', options.shutdownDelay, 0, 3600) * 1000,
    log: { level: options.logLevel, requests: options.logRequests },
    metricsAddress: metricsAddressOf(options),
  };
}

function workersOf(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MAX_WORKERS);
  const number = /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_WORKERS ? Number(text) : undefined;
  return required('--workers', number, `must be auto or a whole number from 1 to ${MAX_WORKERS}`);
}

function versionsOf({ alsoVersion }: ServeOptions) {
  if (alsoVersion === undefined) return [];
  const dates = alsoVersion.split(',').map(date => date.trim());
  return required('--also-version', parseApiVersions(dates), `${API_VERSION_RULE}, separated by commas`);
}

function tlsFilesOf({ tlsCert: cert, tlsKey: key }: ServeOptions) {
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined)
    throw new UsageError('--tls-cert, --tls-key: give both, or neither');
  return { cert, key };
}

function metricsAddressOf({ metricsHost, metricsPort }: ServeOptions) {
  if (metricsPort !== undefined)
    return {
      host: hostOf('--metrics-host', metricsHost ?? '127.0.0.1'),
      port: portOf('--metrics-port', metricsPort),
    };
  if (metricsHost !== undefined)
    throw new UsageError('--metrics-host: there are no metrics without --metrics-port');
  return null;
}
