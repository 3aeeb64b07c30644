import { ADMIN_KEY_RULE, type AdminKeySource, isVisibleAscii } from './admin-key.ts';
import type { KeyrosterError } from './errors.ts';

export const DEFAULT_VERSION = '2023-06-01';

export interface KeyrosterClientOptions {
  /** The address of the service, maybe with a path: `https://api.example.com/keys`. */
  readonly baseUrl: string | URL;
  /** Or a function that gives it, called before each attempt, so that a rotated key is used at once. */
  readonly adminKey: AdminKeySource;
  /** Prefix of the version header's name. Default: `vendor`. */
  readonly vendor?: string;
  /** API version. Default: `2023-06-01`. */
  readonly version?: string | undefined;
  /** Timeout of one attempt, from a call of the `adminKey` function to the end of the body, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Max retries, after a 429, 502, 503 or 504, a network error or a timeout. 0 turns retries off. Default: 4. */
  readonly retries?: number;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface Settings {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly organizationHeader: string;
  readonly scopeHeader: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly fetch: typeof globalThis.fetch;
}

const PATH = '/v1/organizations/api_keys';
/** The longest delay of a timer: 25 days. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws an `InvalidOptionError`. */
export function parseOptions(options: KeyrosterClientOptions): Settings {
  refuseUnknown<KeyrosterClientOptions>(options, {
    baseUrl: true,
    adminKey: true,
    vendor: true,
    version: true,
    timeoutMs: true,
    retries: true,
    fetch: true,
  });
  const { adminKey, vendor = 'vendor', version = DEFAULT_VERSION, timeoutMs = 10_000, retries = 4 } = options;
  const { fetch = globalThis.fetch } = options;
  check('adminKey', typeof adminKey === 'function' || isVisibleAscii(adminKey), ADMIN_KEY_RULE);
  check('version', isVisibleAscii(version), 'must be a version such as 2023-06-01');
  check('vendor', /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(vendor), 'must be of a-z 0-9 and inner hyphens');
  const fitsTimer = Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS;
  check('timeoutMs', fitsTimer, `must be a whole number from 1 to ${MAX_TIMEOUT_MS}`);
  check('retries', Number.isInteger(retries) && retries >= 0, 'must be a whole number, 0 or more');
  return {
    url: operationUrl(options.baseUrl),
    headers: { accept: 'application/json', [`${vendor}-version`]: version },
    organizationHeader: `${vendor}-organization-id`,
    scopeHeader: `${vendor}-scope`,
    timeoutMs,
    retries,
    fetch: (input, init) => fetch(input, init), // a browser's `fetch` can't be called as a method of another object
  };
}

function operationUrl(baseUrl: string | URL): URL {
  const text = String(baseUrl);
  const url = URL.canParse(text) ? new URL(text) : undefined; // Node 20 has no URL.parse
  const http = url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  if (!http || url.search || url.hash) {
    throw new InvalidOptionError(
      'baseUrl',
      'must be an http or https URL such as https://keys.example.com, without a user, a query or a fragment',
    );
  }
  check('baseUrl', !/\/v1\/organizations\/api_keys\/*$/.test(url.pathname), `leave out ${PATH}`);
  url.pathname = url.pathname.replace(/\/*$/, PATH);
  return url;
}

function check(option: keyof KeyrosterClientOptions, holds: boolean, rule: string): void {
  if (!holds) throw new InvalidOptionError(option, rule);
}

export interface ListOptions {
  /** Aborts the request, or the walk, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait for a retry: to say why nothing comes, and for how long. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface Retry {
  /** Why the attempt failed. */
  readonly error: KeyrosterError;
  /** Until the next attempt, in milliseconds. */
  readonly waitMs: number;
}

/** Throws an `InvalidOptionError`. */
export function checkListOptions(options: ListOptions): void {
  refuseUnknown<ListOptions>(options, { signal: true, onRetry: true });
}

/** An option breaks its rule, or isn't one. The message has the option's name and the rule, never the value. */
export class InvalidOptionError extends TypeError {
  override readonly name = 'InvalidOptionError';
  readonly option: string;
  readonly rule: string;

  constructor(option: string, rule: string) {
    super(`${option}: ${rule}`);
    this.option = option;
    this.rule = rule;
  }
}

/** A misspelt option would silently leave its default. One that is `undefined` is left out. */
function refuseUnknown<Options>(options: object, known: Readonly<Record<keyof Options, true>>): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !Object.hasOwn(known, name)) {
      const rule = `unknown option; the options are ${Object.keys(known).join(', ')}`;
      throw new InvalidOptionError(printable(name), rule);
    }
}

/** A text that is too long for a name, or has too many digits, may be a secret in the wrong place. */
function printable(name: string): string {
  return /^(?!(?:.*\d){3})[A-Za-z_]\w{0,31}$/.test(name) ? name : '(unprintable)';
}
