import { type FastifyInstance, fastify, LogController } from 'fastify';
import type { DestinationStream, LevelWithSilent } from 'pino';
import type { RosterReader } from '../roster/roster.ts';
import type { Vendor } from '../roster/vendor.ts';
import { headersOfEveryAnswer, newRequestId, sendJson } from './answer.ts';
import { answerError } from './answer-error.ts';
import { type ObserveUnparsed, UnparsableRequests } from './answer-unparsable.ts';
import { type ConsoleFiles, serveConsole } from './console.ts';
import { drainOnClose, type Shutdown } from './drain.ts';
import { ApiError } from './errors.ts';
import { addHealthRoutes } from './health.ts';
import { createHttpServer } from './http-server.ts';
import { listApiKeys } from './list-api-keys.ts';
import { redacting } from './log.ts';
import { measureReads } from './measure-reads.ts';
import type { Metrics } from './metrics.ts';
import { observeRequest, observeUnparsed } from './observe-request.ts';
import { openApiDocument } from './openapi.ts';
import { Overload } from './overload.ts';
import { LIST_API_KEYS_PATH, OPENAPI_PATH, refuseMethodOrPath } from './paths.ts';
import { rateLimits } from './rate-limit.ts';
import { requireWellFormed } from './require-well-formed.ts';

export interface AppOptions {
  readonly roster: RosterReader;
  readonly vendor: Vendor;
  /** The built web console; absent: there is none. */
  readonly console?: ConsoleFiles | null;
  /** Where log lines go (JSON, a line each), from which level on; absent: nowhere. */
  readonly log?: { readonly level: LevelWithSilent; readonly destination: DestinationStream };
  readonly metrics?: Metrics | undefined;
  /** Requests a minute for each admin key; 0: no rate limits at all. */
  readonly rateLimit?: number;
  /** Addresses or networks whose `x-forwarded-for` is believed. */
  readonly trustedProxies?: readonly string[];
  readonly maxConnections?: number;
  /** How long an idle connection is kept for another request. */
  readonly keepAliveSeconds?: number;
  readonly shutdown?: Shutdown;
}

const DEFAULTS = {
  rateLimit: 0,
  trustedProxies: [],
  maxConnections: 5_000,
  keepAliveSeconds: 5,
  shutdown: { delayMs: 0, lingerMs: 0 },
};

/** The service, not yet listening. It can only read: it is given the read half of a store. */
export function createApp(options: AppOptions): FastifyInstance {
  const { vendor, console, log, metrics, trustedProxies, ...settings } = { ...DEFAULTS, ...options };
  const observeUnparsable: ObserveUnparsed = (...answer) => observeUnparsed(...answer, app.log, metrics);
  const unparsable = new UnparsableRequests(observeUnparsable);
  const app: FastifyInstance = fastify({
    serverFactory: handle =>
      createHttpServer(handle, {
        ...settings,
        observe: observeUnparsable,
        refused: () => metrics?.refusedConnections.inc(),
      }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    logger: log ? { level: log.level, stream: redacting(log.destination) } : false,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: logger => logger, // one for each request costs more than naming it in its lines
    genReqId: newRequestId,
    return503OnClosing: false,
    pluginTimeout: 0, // it would cut a drain off after 10 s
    clientErrorHandler: (error, socket) => unparsable.answer(error, socket),
    frameworkErrors: (_, request, reply) => {
      reply.headers(headersOfEveryAnswer(request.id));
      answerError(new ApiError(400, 'path: malformed percent-encoding'), request, reply);
      observeRequest(request, reply, metrics); // no hook runs for these
    },
  });
  unparsable.attendTo(app.server);
  const overload = new Overload();
  const { isStopping } = drainOnClose(app, settings.shutdown);
  app.decorateRequest('logDetails', null);
  // No route has a body, so none is read, whatever its content-type says.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));

  // Not async: a promise for each hook of each request is a tenth of its time.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOfEveryAnswer(request.id));
    requireWellFormed(request.raw);
    // Here, and not in a handler: Fastify judges a body's content-type before that.
    if (request.is404) refuseMethodOrPath(request.raw, consolePaths);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    overload.answered(request.raw.socket);
    observeRequest(request, reply, metrics);
    done();
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(({ raw }) => refuseMethodOrPath(raw, consolePaths));

  // The route table.
  const roster = metrics ? measureReads(settings.roster, metrics) : settings.roster;
  const openApi = JSON.stringify(openApiDocument(vendor));
  const limits = rateLimits(settings.rateLimit);
  app.get(LIST_API_KEYS_PATH, listApiKeys({ roster, vendor, overload, rateLimits: limits, metrics }));
  app.get(OPENAPI_PATH, (_, reply) => sendJson(reply, openApi));
  addHealthRoutes(app, roster, isStopping);
  const consolePaths = console ? serveConsole(app, console, vendor) : [];
  return app;
}
