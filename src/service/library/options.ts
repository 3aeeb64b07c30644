import type { Registry } from 'prom-client';
import { type Authenticate, parseSecurityScheme, SECURITY_SCHEME_RULE } from '../api/authenticate.ts';
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
import type { RosterReader } from '../roster/page.ts';
import { SETTINGS } from '../settings.ts';
import { STORE_RULE } from '../stores.ts';
import type { KeyrosterOptions } from './keyroster-options.ts';

type Option = keyof KeyrosterOptions;

/** Those that `serve` has too are its settings. */
export const OPTIONS = {
  database: { ...SETTINGS.database, byDefault: undefined },
  openLater: { ...trueOrFalse, byDefault: false },
  roster: objectWith<RosterReader>('listApiKeys'),
  authenticate: aFunction<Authenticate>(),
  securityScheme: { parse: parseSecurityScheme, rule: SECURITY_SCHEME_RULE },
  vendor: SETTINGS.vendor,
  basePath: text(
    path => (/^(\/[A-Za-z0-9_.~-]+)*$/.test(path) ? path : undefined),
    'must be a path such as /api, without a slash at its end',
  ),
  log: objectWith<{ write(line: string): void }>('write'),
  logLevel: SETTINGS.logLevel,
  metrics: objectWith<Registry>('registerMetric', 'getSingleMetric', 'removeSingleMetric'),
  rateLimit: SETTINGS.rateLimit,
  trustedProxies: SETTINGS.trustProxy,
  compression: { ...trueOrFalse, byDefault: true },
  console: { ...SETTINGS.console, byDefault: false }, // a bundle has no files of it
  versions: SETTINGS.alsoVersion,
  defaultWorkspace: SETTINGS.defaultWorkspace,
  bearer: SETTINGS.bearer,
  maxAdminKeyAge: SETTINGS.maxAdminKeyAge,
  adminKeyCache: SETTINGS.adminKeyCache,
  // biome-ignore lint/suspicious/noExplicitAny: any option's type
} as const satisfies Record<Option, OptionRule<any>>;

export type ParsedKeyrosterOptions = ParsedOptions<typeof OPTIONS>;

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
export function parseKeyrosterOptions(options: KeyrosterOptions): ParsedKeyrosterOptions {
  const parsed = parseOptions(options, OPTIONS);
  const isGiven = (name: Option) => options[name] !== undefined;
  if (isGiven('database') === isGiven('roster'))
    throw new TypeError(`database, roster: give one of them; database ${STORE_RULE}`);
  const [option, relation, other] = senselessOf(SENSELESS, isGiven) ?? [];
  if (option) throw new TypeError(`${option}: has no meaning ${relation} ${other}`);
  const missing = missingSetting(parsed.versions ?? [], parsed);
  if (missing) throw new TypeError(`versions: ${missing.problem} ${missing.setting}`);
  return parsed;
}
