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
import { type Authenticate, parseSecurityScheme, SECURITY_SCHEME_RULE } from './authenticate.ts';
import type { KeyrosterOptions } from './keyroster.ts';
import type { OUR_OPTIONS } from './ours.ts';

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
