import type { FastifyInstance } from 'fastify';
import type { ApiVersion } from '../roster/api-version.ts';
import type { Duration } from '../roster/duration.ts';
import type { StoreReader } from '../roster/roster.ts';
import type { Vendor } from '../roster/vendor.ts';
import { headersOfEveryAnswer, sendJson } from './answer.ts';
import { type ConsoleFiles, consoleRoutes } from './console.ts';
import { drainOnClose, type Shutdown } from './drain.ts';
import { createFastify, type FastifyOptions } from './fastify.ts';
import { addHealthRoutes } from './health.ts';
import { MAX_UNREAD_BYTES } from './limits.ts';
import { listApiKeys } from './list-api-keys.ts';
import { measureReads } from './measure-reads.ts';
import type { Metrics } from './metrics.ts';
import { observeRequest, onEachClosed } from './observe-request.ts';
import { openApiDocument } from './openapi.ts';
import { Overload } from './overload.ts';
import { LIST_API_KEYS_PATH, OPENAPI_PATH, refuseUnrouted } from './paths.ts';
import { rateLimits } from './rate-limit.ts';
import { requireWellFormed } from './require-well-formed.ts';
import { UnreadAnswers } from './unread-answers.ts';

export interface AppOptions extends Partial<FastifyOptions> {
  readonly roster: StoreReader;
  readonly vendor: Vendor;
  /** The built web console; absent or `null`: it isn't served. */
  readonly console?: ConsoleFiles | null;
  /** Requests per minute for each admin key; 0: no rate limits at all. */
  readonly rateLimit?: number;
  /** Memory for pages that clients haven't read yet. */
  readonly maxUnreadBytes?: number;
  /** How long after its creation an admin key works at most; `null`: as long as it is valid. */
  readonly maxAdminKeyAge?: Duration | null;
  /** Whether the admin key may be in `Authorization: Bearer` too. */
  readonly bearer?: boolean;
  /** More versions of the API that are accepted. */
  readonly versions?: readonly ApiVersion[];
  readonly shutdown?: Shutdown;
}

const DEFAULTS = {
  rateLimit: 0,
  maxAdminKeyAge: null,
  bearer: false,
  versions: [],
  trustedProxies: [],
  maxConnections: 5_000,
  keepAliveSeconds: 5,
  maxUnreadBytes: MAX_UNREAD_BYTES,
  shutdown: { delayMs: 0, lingerMs: 0 },
};

/** The service, not yet listening. It gets the reading half of a store, so it can't write. */
export function createApp(options: AppOptions): FastifyInstance {
  const { vendor, metrics, ...settings } = { ...DEFAULTS, ...options };
  const app = createFastify({ metrics, ...settings });
  const overload = new Overload();
  const unreadAnswers = new UnreadAnswers(settings.maxUnreadBytes);
  if (metrics) metrics.unreadBytes = () => unreadAnswers.bytes;
  const { isStopping } = drainOnClose(app, settings.shutdown);
  const consolePages = [...(settings.console ? consoleRoutes(settings.console, vendor) : [])];
  const consolePaths = consolePages.map(([path]) => path);
  addHooks(app, overload, consolePaths, metrics);

  // The route table.
  const roster = metrics ? measureReads(settings.roster, metrics) : settings.roster;
  const openApi = JSON.stringify(openApiDocument(vendor, settings));
  const limits = rateLimits(settings.rateLimit);
  const { maxAdminKeyAge, bearer, versions } = settings;
  app.get(
    LIST_API_KEYS_PATH,
    listApiKeys({
      roster,
      vendor,
      overload,
      unreadAnswers,
      rateLimits: limits,
      maxAdminKeyAge,
      bearer,
      versions,
      metrics,
    }),
  );
  app.get(OPENAPI_PATH, (_, reply) => sendJson(reply, openApi));
  addHealthRoutes(app, roster, isStopping);
  for (const [path, handler] of consolePages) app.get(path, handler);
  return app;
}

/** Runs before and after every route. The hooks aren't async: their promises would take a tenth of a request's time. */
function addHooks(
  app: FastifyInstance,
  overload: Overload,
  consolePaths: readonly string[],
  metrics: Metrics | undefined,
): void {
  onEachClosed(app, (request, reply) => {
    overload.answered(request.raw.socket);
    observeRequest(request, reply, metrics);
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOfEveryAnswer(request.id));
    requireWellFormed(request.raw);
    // Not only in the handler below: before that runs, Fastify would refuse a body by its content-type.
    if (request.is404) refuseUnrouted(request.raw, consolePaths);
    done();
  });
  app.setNotFoundHandler(({ raw }) => refuseUnrouted(raw, consolePaths));
}
