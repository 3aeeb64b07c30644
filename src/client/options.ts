export interface ConnectionOptions {
  /** Of the service; a path prefix is allowed: `https://api.example.com/keys`. */
  readonly baseUrl: string | URL;
  readonly adminKey: string;
  /** The service maker, as in the name of the version header. Default: `vendor`. */
  readonly vendor?: string;
  /** Of the API. Default: `2023-06-01`. */
  readonly version?: string;
  /** For one attempt, its body included. Default: 10,000. */
  readonly timeoutMs?: number;
  /** After an answer 429 or 503, a network error or a timeout; 0 turns it off. Default: 4. */
  readonly retries?: number;
  /** Default: the runtime's. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface Settings {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly organizationHeader: string;
  readonly adminKey: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly fetch: typeof globalThis.fetch;
}

const PATH = '/v1/organizations/api_keys';
/** What timers can wait for: 25 days. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws a `TypeError` that names the option and its rule, never a value. */
export function parseOptions(options: ConnectionOptions): Settings {
  const { adminKey, vendor = 'vendor', version = '2023-06-01', timeoutMs = 10_000, retries = 4 } = options;
  const { fetch = globalThis.fetch } = options;
  // A runtime would repeat a header that it refuses.
  require('adminKey', isVisibleAscii(adminKey), 'must be an admin key, without spaces or line breaks');
  require('version', isVisibleAscii(version), 'must be a version such as 2023-06-01');
  require('vendor', /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(vendor), 'must be of a-z 0-9 and inner hyphens');
  const timers = Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS;
  require('timeoutMs', timers, `must be a whole number from 1 to ${MAX_TIMEOUT_MS}`);
  require('retries', Number.isInteger(retries) && retries >= 0, 'must be a whole number, 0 or more');
  return {
    url: operationUrl(options.baseUrl),
    headers: { accept: 'application/json', 'x-api-key': adminKey, [`${vendor}-version`]: version },
    organizationHeader: `${vendor}-organization-id`,
    adminKey,
    timeoutMs,
    retries,
    fetch: (input, init) => fetch(input, init), // a browser's own must be called as a plain function
  };
}

function operationUrl(baseUrl: string | URL): URL {
  const url = URL.parse(String(baseUrl));
  const plain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  if (!plain || url.search || url.hash) {
    throw new TypeError('baseUrl: must be an http or https URL without a user, a query or a fragment');
  }
  url.pathname = url.pathname.replace(/\/*$/, PATH);
  return url;
}

function isVisibleAscii(text: unknown): boolean {
  return typeof text === 'string' && /^[\x21-\x7e]+$/.test(text);
}

function require(option: string, holds: boolean, rule: string): void {
  if (!holds) throw new TypeError(`${option}: ${rule}`);
}
