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
import type { RosterReader } from '../roster/list-query.ts';
import { isAddressOrNetwork } from '../roster/network.ts';
import { parseVendor, VENDOR_RULE } from '../roster/vendor.ts';
import { ADMIN_KEY_CACHE_SECONDS, parseStore, STORE_RULE, type Store } from '../stores.ts';
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
  compression: trueOrFalse,
  console: trueOrFalse,
  versions: list(parseApiVersions, API_VERSION_RULE),
  bearer: trueOrFalse,
  maxAdminKeyAge: {
    parse: value => (typeof value === 'string' ? parseDuration(value) : undefined),
    rule: DURATION_RULE,
  } satisfies OptionRule<ReturnType<typeof parseDuration>>,
  adminKeyCache: wholeNumber(0, ADMIN_KEY_CACHE_SECONDS.max),
} satisfies Record<keyof KeyrosterOptions, object>;

type Parsed = ParsedOptions<typeof rules>;

/** A store of ours, or a roster of the vendor's, beside which there are no admin keys. */
type Source =
  | {
      readonly database: Store;
      readonly roster?: undefined;
      readonly authenticate: Authenticate | undefined;
    }
  | { readonly database?: undefined; readonly roster: RosterReader; readonly authenticate: Authenticate };

export type ParsedKeyrosterOptions = Source & Omit<Parsed, keyof Source>;
type Option = keyof KeyrosterOptions;

/** Options that have no meaning beside another one, or without it. Setting them would do nothing. */
const senseless: readonly [option: Option, relation: 'with' | 'without', other: Option][] = [
  ['securityScheme', 'without', 'authenticate'],
  ['bearer', 'with', 'authenticate'],
  ['maxAdminKeyAge', 'with', 'authenticate'],
  ['adminKeyCache', 'with', 'authenticate'],
  ['logLevel', 'without', 'log'],
];

/** Throws a `TypeError` that names the option and its rule. */
export function parseKeyrosterOptions(options: unknown): ParsedKeyrosterOptions {
  const parsed = parseOptions(options, rules);
  const { database, roster, authenticate, ...others } = parsed;
  const source = sourceOf(database, roster, authenticate);
  const given = (option: Option) => parsed[option] !== undefined;
  for (const [option, relation, other] of senseless)
    if (given(option) && given(other) === (relation === 'with'))
      throw new TypeError(`${option}: has no meaning ${relation} ${other}`);
  return { ...others, ...source };
}

function sourceOf(
  database: Store | undefined,
  roster: RosterReader | undefined,
  authenticate: Authenticate | undefined,
): Source {
  if (database && !roster) return { database, authenticate };
  if (!roster || database) throw new TypeError(`database, roster: give one of them; database ${STORE_RULE}`);
  if (!authenticate) throw new TypeError('roster: has no meaning without authenticate');
  return { roster, authenticate };
}

function isNetworkText(text: unknown): text is string {
  return typeof text === 'string' && isAddressOrNetwork(text);
}
