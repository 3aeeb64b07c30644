import type { Registry } from 'prom-client';
import { type Authenticate, parseSecurityScheme, SECURITY_SCHEME_RULE } from '../api/authenticate.ts';
import { MAX_RATE_LIMIT } from '../api/limits.ts';
import { LOG_LEVELS, type LogLevel } from '../api/log-levels.ts';
import {
  list,
  type OptionRule,
  objectWith,
  type ParsedOptions,
  parseOptions,
  trueOrFalse,
  wholeNumber,
} from '../options.ts';
import { API_VERSION_RULE, parseApiVersions } from '../roster/api-version.ts';
import { DURATION_RULE, parseDuration } from '../roster/duration.ts';
import { isAddressOrNetwork } from '../roster/network.ts';
import type { RosterReader } from '../roster/roster-reader.ts';
import { parseVendor, VENDOR_RULE } from '../roster/vendor.ts';
import { CACHES, parseStore, type ReaderOptions, STORE_RULE } from '../stores.ts';
import type { KeyrosterOptions } from './keyroster-options.ts';

const rules = {
  database: { parse: parseStore, rule: STORE_RULE },
  roster: objectWith<RosterReader>('listApiKeys'),
  authenticate: {
    parse: value => (typeof value === 'function' ? (value as Authenticate) : undefined),
    rule: 'must be a function',
  } satisfies OptionRule<Authenticate>,
  securityScheme: { parse: parseSecurityScheme, rule: SECURITY_SCHEME_RULE },
  vendor: { parse: parseVendor, rule: VENDOR_RULE },
  basePath: {
    parse: value => (typeof value === 'string' && /^(\/[A-Za-z0-9_.~-]+)*$/.test(value) ? value : undefined),
    rule: 'must be a path such as /api, without a slash at its end',
  } satisfies OptionRule<string>,
  log: objectWith<{ write(line: string): void }>('write'),
  logLevel: {
    parse: value => LOG_LEVELS.find(level => level === value),
    rule: `must be one of ${LOG_LEVELS.join(', ')}`,
  } satisfies OptionRule<LogLevel>,
  metrics: objectWith<Registry>('registerMetric', 'getSingleMetric', 'removeSingleMetric'),
  rateLimit: wholeNumber(0, MAX_RATE_LIMIT),
  trustedProxies: list(
    networks => (networks.every(isNetworkText) ? networks : undefined),
    'must be addresses or networks such as 10.0.0.0/8',
  ),
  console: trueOrFalse,
  versions: list(parseApiVersions, API_VERSION_RULE),
  bearer: trueOrFalse,
  maxAdminKeyAge: {
    parse: value => (typeof value === 'string' ? parseDuration(value) : undefined),
    rule: DURATION_RULE,
  } satisfies OptionRule<ReturnType<typeof parseDuration>>,
  adminKeyCache: wholeNumber(0, CACHES.adminKeySeconds.max),
  pageCache: wholeNumber(0, CACHES.pageMiB.max),
} satisfies Record<keyof KeyrosterOptions, object>;

/** Exactly one of `database` and `roster` is there, and `authenticate` beside a `roster`. */
export type ParsedKeyrosterOptions = Omit<ParsedOptions<typeof rules>, 'adminKeyCache' | 'pageCache'> & {
  readonly caches: ReaderOptions;
};
type Option = keyof KeyrosterOptions;

/** Options that have no meaning beside another one, or without it. Setting them would do nothing. */
const senseless: readonly [option: Option, relation: 'with' | 'without', other: Option][] = [
  ['roster', 'without', 'authenticate'],
  ['securityScheme', 'without', 'authenticate'],
  ['bearer', 'with', 'authenticate'],
  ['maxAdminKeyAge', 'with', 'authenticate'],
  ['adminKeyCache', 'with', 'authenticate'],
  ['pageCache', 'with', 'roster'],
  ['logLevel', 'without', 'log'],
];

/** Throws a `TypeError` that names the option and its rule. */
export function parseKeyrosterOptions(options: unknown): ParsedKeyrosterOptions {
  const parsed = parseOptions(options, rules);
  const given = (option: Option) => parsed[option] !== undefined;
  if (given('database') === given('roster'))
    throw new TypeError(`database, roster: give one of them; database ${STORE_RULE}`);
  for (const [option, relation, other] of senseless)
    if (given(option) && given(other) === (relation === 'with'))
      throw new TypeError(`${option}: has no meaning ${relation} ${other}`);
  const { adminKeyCache, pageCache, ...others } = parsed;
  return {
    ...others,
    caches: {
      adminKeyCacheSeconds: adminKeyCache ?? CACHES.adminKeySeconds.default,
      pageCacheBytes: (pageCache ?? CACHES.pageMiB.default) * 2 ** 20,
    },
  };
}

function isNetworkText(text: unknown): text is string {
  return typeof text === 'string' && isAddressOrNetwork(text);
}
