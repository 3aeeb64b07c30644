/** The service as a library (`import … from 'keyroster'`): to be mounted in an existing server. */
import type { Registry } from 'prom-client';
import { adminKeyAuthentication } from './api/admin-keys.ts';
import { createApi } from './api/api.ts';
import type { Authenticate } from './api/authenticate.ts';
import type { Console } from './api/console.ts';
import type { Metrics } from './api/metrics.ts';
import { ownAuthentication } from './api/own-authentication.ts';
import { lazyReader } from './lazy-reader.ts';
import { checkedRoster } from './library/checked-roster.ts';
import { fetch } from './library/fetch.ts';
import type { KeyrosterOptions } from './library/keyroster-options.ts';
import { OPTIONS, type ParsedKeyrosterOptions, parseKeyrosterOptions } from './library/options.ts';
import { withMetrics } from './optional-packages.ts';
import { required } from './options.ts';
import type { PageReader, StoreReader } from './roster/roster.ts';
import { handle } from './server/handle.ts';
import type { IncomingRequest, OutgoingResponse } from './server/messages.ts';

export type { ApiKeyRecord, CreatorRecord } from '../shared/record/api-key-record.ts';
export { Refused, type RefusedFault } from '../shared/record/faults.ts';
export type { Cursor, Direction, ListQuery } from '../shared/record/list-query.ts';
export { partialKeyHint } from '../shared/record/partial-key-hint.ts';
export {
  type Authenticate,
  type AuthenticatedCaller,
  AuthenticationUnavailable,
  type RequestToAuthenticate,
  type SecurityScheme,
} from './api/authenticate.ts';
export type { KeyrosterOptions, MetricsRegistry } from './library/keyroster-options.ts';
export type { AdminKeyRecord } from './roster/admin-key.ts';
export { StoreBusy, StoreUnavailable } from './roster/errors.ts';
export type { RosterReader } from './roster/page.ts';
export { type Page, type PageItem, pageItem } from './roster/page.ts';
export type { IncomingRequest, OutgoingResponse } from './server/messages.ts';
export {
  openWriter,
  type StoreWriter,
  type Transaction,
  type TransactionOptions,
  type WriterOptions,
  writerIn,
} from './writer/open-writer.ts';
export type { NewAdminKey, PutRecord, Use, Writer } from './writer/writer.ts';

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

/** Throws a `TypeError` that names the option and its rule, and `Refused` when the store can't be opened. */
export async function createKeyroster(options: KeyrosterOptions): Promise<Keyroster> {
  const parsed = parseKeyrosterOptions(options);
  const console = parsed.console ? await requireConsole() : null;
  const warning = await parsed.database?.tlsWarning(); // refuses a wrong URL
  const metrics = parsed.metrics && (await metricsIn(parsed.metrics));
  const opened = await open(parsed).catch(error => {
    metrics?.remove();
    throw error;
  });
  const { roster, store } = opened;
  const api = createApi({
    ...parsed,
    roster,
    authentication: authenticationOf(opened, parsed, metrics),
    checkReadiness: async () => (await store?.checkReadiness()) ?? [],
    ...(store && { listFields: () => store.listFields() }),
    log: parsed.log && { level: parsed.logLevel, destination: parsed.log },
    metrics,
    console,
  });
  const trustsProxies = (parsed.trustedProxies ?? []).length > 0;
  if (warning) api.log.warn(warning);
  return {
    fetch: (request, context) => fetch(api, request, context, trustsProxies),
    handle: (request, response) => handle(api, request, response),
    close: async () => {
      await api.stop();
      metrics?.remove();
      await store?.close();
    },
  };
}

/** What is listed, and who tells a request's caller: the vendor's code, or else the admin keys of a store of ours. */
type Opened =
  | { readonly roster: PageReader; readonly store?: StoreReader; readonly authenticate: Authenticate }
  | { readonly roster: PageReader; readonly store: StoreReader; readonly authenticate: undefined };

async function open(options: ParsedKeyrosterOptions): Promise<Opened> {
  const { database, openLater, roster, authenticate, adminKeyCache } = options;
  await Object(authenticate).ready; // of an authenticator of ours, which may lack a package
  if (roster && authenticate) return { roster: checkedRoster(roster), authenticate };
  const { openReader } = required('database', database, OPTIONS.database);
  const store = openLater ? lazyReader(() => openReader(adminKeyCache)) : await openReader(adminKeyCache);
  return { roster: store, store, authenticate };
}

function authenticationOf(
  { authenticate, store }: Opened,
  parsed: ParsedKeyrosterOptions,
  metrics: Metrics | undefined,
) {
  const { securityScheme = { type: 'http', scheme: 'Bearer' } } = parsed;
  if (authenticate) return ownAuthentication(authenticate, securityScheme);
  return adminKeyAuthentication(store, { ...parsed, metrics });
}

async function metricsIn(registry: Registry): Promise<Metrics> {
  const { Metrics } = await withMetrics(() => import('./api/metrics.ts'));
  const name = 'keyroster_http_request_duration_seconds';
  if (registry.getSingleMetric(name))
    throw new TypeError(
      'metrics: another Keyroster has its metrics in this registry: close it first, or give another registry',
    );
  return new Metrics(registry, name);
}

async function requireConsole(): Promise<Console> {
  const console = await (await import('./api/console.ts')).readConsole();
  if (!console)
    throw new TypeError(
      'console: its files are not there: run keyroster from its package, not from a bundle',
    );
  return console;
}
