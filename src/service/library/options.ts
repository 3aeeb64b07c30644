import type { LogLevel } from '../api/log.ts';
import { missingSetting } from '../api/versions.ts';
import {
  aFunction,
  type OptionRule,
  objectWith,
  type ParsedOptions,
  parseOptions,
  type Senseless,
  senselessOf,
  text,
  trueOrFalse,
} from '../options.ts';
import type { RosterReader } from '../roster/pages/page.ts';
import { SERVING_SETTINGS } from '../serving-settings.ts';
import {
  type Authenticate,
  parseSecurityScheme,
  SECURITY_SCHEME_RULE,
  type SecurityScheme,
} from './authenticate.ts';
import type { OUR_OPTIONS } from './ours.ts';

export type KeyrosterOptions = CommonOptions & (OverDatabase | OverRoster);

/** Those of a service over a store of your own. */
export type OwnStoreOptions = Omit<
  CommonOptions & OverRoster,
  'database' | 'openLater' | 'metrics' | 'console' | 'bearer' | 'maxAdminKeyAge' | 'adminKeyCache'
>;

interface OverDatabase {
  /** The store: `sqlite:FILE` or `postgres://…`, made by `keyroster migrate`. It is opened read-only. */
  readonly database: string | undefined;
  /** Opens the store at the first request, and again after that has failed; meanwhile answers are 503. Default: at once, or rejects. */
  readonly openLater?: boolean | undefined;
  readonly roster?: undefined;
  /** Your own authentication, instead of admin keys. */
  readonly authenticate?: Authenticate | undefined;
}

interface OverRoster {
  readonly database?: undefined;
  readonly openLater?: undefined;
  /** A store of your own. */
  readonly roster: RosterReader;
  readonly authenticate: Authenticate;
}

interface CommonOptions {
  /** How your clients authenticate, for the OpenAPI document and the message of a 401. Default: HTTP's scheme Bearer. */
  readonly securityScheme?: SecurityScheme | undefined;
  /** The service maker: prefix of the version header. Default: `vendor`. */
  readonly vendor?: string | undefined;
  /** What comes before the paths of the API in a request's URL, such as `/api`. Default: nothing. */
  readonly basePath?: string | undefined;
  /** Where log lines go, JSON, a line each. Default: nowhere. */
  readonly log?: { write(line: string): void } | undefined;
  /** The lowest level that is logged. Default: `info`. */
  readonly logLevel?: LogLevel | undefined;
  /** Your registry of `prom-client`, which gets Keyroster's metrics. Default: nothing is measured. */
  readonly metrics?: MetricsRegistry | undefined;
  /** Requests a minute for each caller, to 1,000,000; 0: no rate limits, of failed authentications neither. Default: 6000. */
  readonly rateLimit?: number | undefined;
  /** Proxies whose `x-forwarded-for` is trusted: addresses and networks. Default: none. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Whether the web console is served, below `/console/`. Default: `false`. */
  readonly console?: boolean | undefined;
  /** Whether answers of 16 KiB and more are compressed for clients that accept it. Default: `true`. */
  readonly compression?: boolean | undefined;
  /** More API versions that are accepted: dates. Those that have no record of their own show that of the first. Default: none. */
  readonly versions?: readonly string[] | undefined;
  /** The ID of the default workspace, for a version that shows it. Default: none. */
  readonly defaultWorkspace?: string | undefined;
  /** Whether an admin key may be in `Authorization: Bearer` too. Default: `false`. */
  readonly bearer?: boolean | undefined;
  /** How long after its creation an admin key works at most, such as `365d`. Default: as long as it is valid. */
  readonly maxAdminKeyAge?: string | undefined;
  /** PostgreSQL: for how many seconds an admin key is cached; 0: not at all. Default: 5. */
  readonly adminKeyCache?: number | undefined;
}

/** What is needed of a registry of `prom-client`, of any version. */
export interface MetricsRegistry {
  registerMetric(metric: unknown): void;
  getSingleMetric(name: string): unknown;
  removeSingleMetric(name: string): void;
}

type Option = keyof KeyrosterOptions;

/** Those that `serve` has too are its settings. */
export const OPTIONS = {
  openLater: { ...trueOrFalse, byDefault: false },
  roster: objectWith<RosterReader>('listApiKeys'),
  authenticate: aFunction<Authenticate>(),
  securityScheme: { parse: parseSecurityScheme, rule: SECURITY_SCHEME_RULE },
  vendor: SERVING_SETTINGS.vendor,
  basePath: text(
    path => (/^(\/[A-Za-z0-9_.~-]+)*$/.test(path) ? path : undefined),
    'must be a path such as /api, without a slash at its end',
  ),
  log: objectWith<{ write(line: string): void }>('write'),
  logLevel: SERVING_SETTINGS.logLevel,
  rateLimit: SERVING_SETTINGS.rateLimit,
  trustedProxies: SERVING_SETTINGS.trustedProxies,
  compression: { ...trueOrFalse, byDefault: true },
  versions: SERVING_SETTINGS.versions,
  defaultWorkspace: SERVING_SETTINGS.defaultWorkspace,
  bearer: SERVING_SETTINGS.bearer,
  maxAdminKeyAge: SERVING_SETTINGS.maxAdminKeyAge,
  adminKeyCache: SERVING_SETTINGS.adminKeyCache,
  // biome-ignore lint/suspicious/noExplicitAny: any option's type
} as const satisfies Record<Exclude<Option, keyof typeof OUR_OPTIONS>, OptionRule<any>>;

export type ParsedKeyrosterOptions = ParsedOptions<typeof OPTIONS> &
  Partial<ParsedOptions<typeof OUR_OPTIONS>>;

const SENSELESS: readonly Senseless<Option>[] = [
  ['roster', 'without', 'authenticate'],
  ['openLater', 'with', 'roster'],
  ['securityScheme', 'without', 'authenticate'],
  ['bearer', 'with', 'authenticate'],
  ['maxAdminKeyAge', 'with', 'authenticate'],
  ['adminKeyCache', 'with', 'authenticate'],
  ['logLevel', 'without', 'log'],
  ['defaultWorkspace', 'without', 'versions'],
];

/** Throws a `TypeError` that names the option and its rule. */
export function parseKeyrosterOptions(
  options: Partial<Record<Option, unknown>>,
  ours?: typeof OUR_OPTIONS,
): ParsedKeyrosterOptions {
  const parsed: ParsedKeyrosterOptions = parseOptions(options, { ...ours, ...OPTIONS });
  const isGiven = (name: Option) => options[name] !== undefined;
  if (ours && isGiven('database') === isGiven('roster'))
    throw new TypeError(`database, roster: give one of them; database ${ours.database.rule}`);
  const [option, relation, other] = senselessOf(SENSELESS, isGiven) ?? [];
  if (option) throw new TypeError(`${option}: has no meaning ${relation} ${other}`);
  const missing = missingSetting(parsed.versions ?? [], parsed);
  if (missing) throw new TypeError(`versions: ${missing.problem} ${missing.setting}`);
  return parsed;
}
