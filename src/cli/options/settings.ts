/** The settings of the service. Flags, variables, the settings file with its schema, and `config` are made of this table. */
import { availableParallelism } from 'node:os';
import { MAX_RATE_LIMIT } from '../../api/limits.ts';
import { LOG_LEVELS } from '../../api/log-levels.ts';
import { API_VERSION_RULE, parseApiVersions } from '../../roster/api-version.ts';
import { DURATION_RULE, parseDuration } from '../../roster/duration.ts';
import { NETWORK_RULE, parseNetworks } from '../../roster/network.ts';
import { ADMIN_KEY_CACHE_SECONDS } from '../../stores.ts';
import { databaseSetting } from './database.ts';
import {
  choice,
  filePath,
  host,
  type Kind,
  list,
  type Setting,
  text,
  wholeNumber,
  yesOrNo,
} from './setting.ts';
import { hostSetting, portSetting, vendorSetting } from './shared-options.ts';
import { parseSocketFile, SOCKET_FILE_RULE } from './socket-file.ts';

/** Each takes a core and at least 60 MB. */
const MAX_WORKERS = 256;

const numberOfWorkers = wholeNumber(1, MAX_WORKERS);

const workers: Kind<number> = {
  parse: given =>
    given === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : numberOfWorkers.parse(given),
  rule: `must be auto or a whole number from 1 to ${MAX_WORKERS}`,
  schema: { anyOf: [{ const: 'auto' }, numberOfWorkers.schema] },
  textOf: value => (value === 'auto' ? value : numberOfWorkers.textOf(value)),
  valueOf: given => (given === 'auto' ? given : Number(given)),
};

export const SETTINGS = {
  database: databaseSetting,
  host: {
    ...hostSetting,
    description: 'the address to listen on, or a Unix socket: unix:/path',
    kind: text(
      given => (given.startsWith('unix:') ? parseSocketFile(given) : host.parse(given)),
      `${host.rule}, or ${SOCKET_FILE_RULE}`,
    ),
  },
  port: portSetting,
  vendor: vendorSetting,
  workers: {
    flags: '--workers <number>',
    variable: 'KEYROSTER_WORKERS',
    description: 'processes that answer requests; auto: one for each core',
    kind: workers,
    byDefault: '1',
  },
  tlsCert: {
    flags: '--tls-cert <file>',
    variable: 'KEYROSTER_TLS_CERT',
    description: 'serve HTTPS with this certificate and its chain, PEM',
    kind: filePath,
    without: 'plain HTTP',
  },
  tlsKey: {
    flags: '--tls-key <file>',
    variable: 'KEYROSTER_TLS_KEY',
    description: 'the private key of the certificate, PEM',
    kind: filePath,
  },
  adminKeyCache: {
    flags: '--admin-key-cache <seconds>',
    variable: 'KEYROSTER_ADMIN_KEY_CACHE',
    description: 'PostgreSQL: how long an admin key is cached; 0 turns the cache off',
    kind: wholeNumber(0, ADMIN_KEY_CACHE_SECONDS.max),
    byDefault: String(ADMIN_KEY_CACHE_SECONDS.default),
  },
  rateLimit: {
    flags: '--rate-limit <number>',
    variable: 'KEYROSTER_RATE_LIMIT',
    description: 'requests a minute for each admin key; 0 turns all rate limits off',
    kind: wholeNumber(0, MAX_RATE_LIMIT),
    byDefault: '6000',
  },
  trustProxy: {
    flags: '--trust-proxy <addresses>',
    variable: 'KEYROSTER_TRUST_PROXY',
    description: 'proxies whose x-forwarded-for is trusted: addresses or networks',
    kind: list(parseNetworks, NETWORK_RULE),
    without: 'none',
  },
  maxAdminKeyAge: {
    flags: '--max-admin-key-age <duration>',
    variable: 'KEYROSTER_MAX_ADMIN_KEY_AGE',
    description: 'how long after its creation an admin key works at most, such as 365d',
    kind: text(parseDuration, DURATION_RULE),
    without: 'as long as it is valid',
  },
  bearer: {
    flags: '--bearer',
    variable: 'KEYROSTER_BEARER',
    description: 'accept the admin key in authorization: Bearer too',
    kind: yesOrNo,
    byDefault: 'false',
  },
  alsoVersion: {
    flags: '--also-version <dates>',
    variable: 'KEYROSTER_ALSO_VERSION',
    description: 'more API versions to accept, answered like 2023-06-01: dates',
    kind: list(given => parseApiVersions(given.split(',').map(date => date.trim())), API_VERSION_RULE),
    without: 'none',
  },
  maxConnections: {
    flags: '--max-connections <number>',
    variable: 'KEYROSTER_MAX_CONNECTIONS',
    description: 'max open connections',
    kind: wholeNumber(1, 1_000_000),
    byDefault: '5000',
  },
  shutdownDelay: {
    flags: '--shutdown-delay <seconds>',
    variable: 'KEYROSTER_SHUTDOWN_DELAY',
    description: 'how long to keep serving after the signal to stop, while /readyz fails',
    kind: wholeNumber(0, 3600),
    byDefault: '0',
  },
  logLevel: {
    flags: '--log-level <level>',
    variable: 'KEYROSTER_LOG_LEVEL',
    description: 'lowest level to log',
    kind: choice(LOG_LEVELS),
    byDefault: 'info',
  },
  metricsPort: {
    flags: '--metrics-port <number>',
    variable: 'KEYROSTER_METRICS_PORT',
    description: 'the port of /metrics, for Prometheus; 0 picks a free one',
    kind: portSetting.kind,
    without: 'no metrics',
  },
  metricsHost: {
    flags: '--metrics-host <address>',
    variable: 'KEYROSTER_METRICS_HOST',
    description: 'the address of /metrics',
    kind: host,
    without: '127.0.0.1',
  },
  console: {
    flags: '--no-console',
    variable: 'KEYROSTER_NO_CONSOLE',
    description: 'leave the web console out',
    kind: yesOrNo,
    byDefault: 'true',
  },
  // biome-ignore lint/suspicious/noExplicitAny: any setting's type
} as const satisfies Record<string, Setting<any>>;

type Table = typeof SETTINGS;
export type SettingName = keyof Table;

/** The value of each. One without a default is `undefined` where nobody sets it. */
export type Settings = {
  readonly [Name in SettingName]: Table[Name] extends Setting<infer T>
    ? T | (Table[Name] extends { byDefault: string } ? never : undefined)
    : never;
};
