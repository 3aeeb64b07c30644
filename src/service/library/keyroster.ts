import type { RosterReader } from '../roster/pages/page.ts';
import type { IncomingRequest, OutgoingResponse } from '../server/messages.ts';
import type { LogLevel } from '../serving-settings.ts';
import type { Authenticate, SecurityScheme } from './authenticate.ts';

export interface Keyroster {
  /**
   * Answers a `Request`, or a request of `node:http`, by a `Response`; never rejects. The address of the connection's other end
   * isn't in a `Request`: give it as `{ clientAddress }` if you need it, for networks of admin keys, `rateLimit` or
   * `trustedProxies`, which without it is a 500. Anything else in its place is ignored.
   */
  readonly fetch: (request: Request | IncomingRequest, context?: ClientContext | object) => Promise<Response>;
  /** Answers a request of `node:http`. Resolves when all of the answer was sent or the client has left; never rejects. */
  readonly handle: (request: IncomingRequest, response: OutgoingResponse) => Promise<void>;
  /** Waits for what is under way, then closes the store. Stop sending requests first. */
  close(): Promise<void>;
}

export interface ClientContext {
  /** Of the other end of the connection, which may be a proxy's; `undefined` where nobody knows it. */
  readonly clientAddress?: string | undefined;
}

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
