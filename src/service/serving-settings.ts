/**
 * The settings of the service but its store, so that a library over another's store loads none of ours. Each is told once: flags,
 * variables, and those options of the library that are the same are made of this table, and the tables in the docs are compared with it.
 */

import { availableParallelism } from 'node:os';
import { DURATION_RULE, parseDuration } from '../shared/record/duration.ts';
import { OWNER_ID_RULE, parseOwnerId, type WorkspaceId } from '../shared/record/identifier.ts';
import { DEFAULT_VENDOR, parseVendor, VENDOR_RULE } from '../shared/record/vendor.ts';
import { choice, type Kind, list, type ParsedOptions, text, trueOrFalse, wholeNumber } from './options.ts';
import { API_VERSION_RULE, parseApiVersions } from './roster/api-version.ts';
import { isAddressOrNetwork, NETWORK_RULE } from './roster/network.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Setting<T> extends Kind<T> {
  /** As commander has them: `--port <number>`. */
  readonly flags: string;
  /** Where it isn't named as the flag is. */
  readonly variable?: string;
  readonly description: string;
  /** What holds without it where it has no default, in words. */
  readonly without?: string;
}

/** Each takes a core and at least 60 MB. */
const MAX_WORKERS = 256;
const numberOfWorkers = wholeNumber(1, MAX_WORKERS);
const port = wholeNumber(0, 65_535);

// What is taken for one of these is shown: a URL may have a password. Node would take an empty host for every address of the machine.
const host = text(given => (/^[^\s/@]+$/.test(given) ? given : undefined), 'must be a name or an address');
const filePath = text(
  given => (given.trim() === '' || given.includes('://') ? undefined : given),
  'must be the path of a file',
);

/** In bytes. Linux takes a little more, and other systems don't. */
const MAX_SOCKET_PATH = 103;

function parseSocketFile(given: string): { readonly path: string } | undefined {
  const path = /^unix:(\/.*[^/])$/.exec(given)?.[1];
  return path !== undefined && !path.includes('://') && Buffer.byteLength(path) <= MAX_SOCKET_PATH
    ? { path }
    : undefined;
}

export const SERVING_SETTINGS = {
  host: {
    ...text(
      given => (given.startsWith('unix:') ? parseSocketFile(given) : host.parse(given)),
      `${host.rule}, or unix: and the absolute path of a socket, such as unix:/run/keyroster/serve.sock, of at most ${MAX_SOCKET_PATH} bytes`,
    ),
    flags: '--host <address>',
    description: 'the address to listen on, or a Unix socket: unix:/path',
    byDefault: '127.0.0.1',
  },
  port: {
    ...port,
    flags: '--port <number>',
    description: 'the port to listen on; 0 picks a free one',
    byDefault: 8080,
  },
  vendor: {
    ...text(parseVendor, VENDOR_RULE),
    flags: '--vendor <name>',
    description: 'the service maker: prefix of the version header and of admin keys',
    byDefault: DEFAULT_VENDOR,
  },
  workers: {
    parse: given =>
      given === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : numberOfWorkers.parse(given),
    rule: `must be auto or a whole number from 1 to ${MAX_WORKERS}`,
    read: numberOfWorkers.read,
    flags: '--workers <number>',
    description: 'processes that answer requests; auto: one for each core',
    byDefault: 1,
  },
  tlsCert: {
    ...filePath,
    flags: '--tls-cert <file>',
    description: 'serve HTTPS with this certificate and its chain, PEM',
    without: 'plain HTTP',
  },
  tlsKey: {
    ...filePath,
    flags: '--tls-key <file>',
    description: 'the private key of the certificate, PEM',
  },
  adminKeyCache: {
    ...wholeNumber(0, 60), // a revoked admin key may keep working for so long
    flags: '--admin-key-cache <seconds>',
    description: 'PostgreSQL: how long an admin key is cached; 0 turns the cache off',
    byDefault: 5,
  },
  rateLimit: {
    ...wholeNumber(0, 1_000_000),
    flags: '--rate-limit <number>',
    description: 'requests a minute for each admin key; 0 turns all rate limits off',
    byDefault: 6000,
  },
  trustedProxies: {
    ...list(networks => (networks.every(isAddressOrNetwork) ? networks : undefined), NETWORK_RULE),
    flags: '--trust-proxy <addresses>',
    description: 'proxies whose x-forwarded-for is trusted: addresses or networks',
    without: 'none',
  },
  maxAdminKeyAge: {
    ...text(parseDuration, DURATION_RULE),
    flags: '--max-admin-key-age <duration>',
    description: 'how long after its creation an admin key works at most, such as 365d',
    without: 'as long as it is valid',
  },
  bearer: {
    ...trueOrFalse,
    flags: '--bearer',
    description: 'accept the admin key in authorization: Bearer too',
    byDefault: false,
  },
  versions: {
    ...list(parseApiVersions, API_VERSION_RULE),
    flags: '--also-version <dates>',
    description: 'more API versions to accept: dates',
    without: 'none',
  },
  defaultWorkspace: {
    ...text(parseOwnerId<WorkspaceId>, OWNER_ID_RULE),
    flags: '--default-workspace <id>',
    description: 'the ID of the default workspace, for a version that shows it',
    without: 'none',
  },
  maxConnections: {
    ...wholeNumber(1, 1_000_000),
    flags: '--max-connections <number>',
    description: 'max open connections',
    byDefault: 5000,
  },
  shutdownDelay: {
    ...wholeNumber(0, 3600),
    flags: '--shutdown-delay <seconds>',
    description: 'how long to keep serving after the signal to stop, while /readyz fails',
    byDefault: 0,
  },
  logLevel: {
    ...choice(LOG_LEVELS),
    flags: '--log-level <level>',
    description: 'lowest level to log',
    byDefault: 'info',
  },
  metricsPort: {
    ...port,
    flags: '--metrics-port <number>',
    description: 'the port of /metrics, for Prometheus; 0 picks a free one',
    without: 'no metrics',
  },
  metricsHost: {
    ...host,
    flags: '--metrics-host <address>',
    description: 'the address of /metrics',
    byDefault: '127.0.0.1',
  },
  console: {
    ...trueOrFalse,
    flags: '--no-console',
    description: 'leave the web console out',
    byDefault: true,
  },
  // biome-ignore lint/suspicious/noExplicitAny: any setting's type
} as const satisfies Record<string, Setting<any>>;

export type ServingSettings = ParsedOptions<typeof SERVING_SETTINGS>;
/** Those of these names that who reads them is given. */
export type Some<Name extends keyof ServingSettings> = Partial<Pick<ServingSettings, Name>>;

export function flagOf({ flags }: Pick<Setting<unknown>, 'flags'>): string {
  return flags.replace(/ .*/, '');
}

export function variableOf({ variable, ...setting }: Setting<unknown>): string {
  return variable ?? `KEYROSTER_${flagOf(setting).slice(2).replaceAll('-', '_').toUpperCase()}`;
}
