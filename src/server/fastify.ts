import { type FastifyInstance, fastify, LogController } from 'fastify';
import type { DestinationStream, LevelWithSilent } from 'pino';
import { headersOfEveryAnswer, newRequestId } from './answer.ts';
import { answerError } from './answer-error.ts';
import { type ObserveUnparsed, UnparsableRequests } from './answer-unparsable.ts';
import { addressIsIn } from './client-network.ts';
import { ApiError } from './errors.ts';
import { createHttpServer } from './http-server.ts';
import { redacting } from './log.ts';
import type { Metrics } from './metrics.ts';
import { observeRequest, observeUnparsed } from './observe-request.ts';
import type { Tls } from './tls.ts';

export interface FastifyOptions {
  /** Where log lines are written (one JSON object per line), and the lowest level; absent: nothing is logged. */
  readonly log?: { readonly level: LevelWithSilent; readonly destination: DestinationStream };
  readonly metrics?: Metrics | undefined;
  /** Addresses or networks whose `x-forwarded-for` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly maxConnections: number;
  /** How long an idle connection is kept open for another request. */
  readonly keepAliveSeconds: number;
  /** Absent: plain HTTP. */
  readonly tls?: Tls | undefined;
}

/** Fastify over our HTTP server, without routes. It logs, measures and answers what never reaches a route. */
export function createFastify({
  log,
  metrics,
  trustedProxies: proxies,
  ...limits
}: FastifyOptions): FastifyInstance {
  const onUnparsed: ObserveUnparsed = (...answer) => observeUnparsed(...answer, app.log, metrics);
  const onDrop = () => metrics?.refusedConnections.inc();
  const onFailedHandshake = (code: string | undefined) => {
    metrics?.failedHandshakes.inc();
    app.log.debug({ code }, 'TLS handshake failed');
  };
  const unparsable = new UnparsableRequests(onUnparsed);
  const app: FastifyInstance = fastify({
    serverFactory: handle => createHttpServer(handle, { ...limits, onUnparsed, onDrop, onFailedHandshake }),
    trustProxy: proxies.length > 0 ? addressIsIn(proxies) : false,
    logger: log ? { level: log.level, stream: redacting(log.destination) } : false,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: logger => logger, // a child logger per request is slower than adding the request ID to its lines
    genReqId: newRequestId,
    return503OnClosing: false,
    pluginTimeout: 0, // it would interrupt a drain after 10 s
    clientErrorHandler: (error, socket) => unparsable.answer(error, socket),
    frameworkErrors: (_, request, reply) => {
      reply.headers(headersOfEveryAnswer(request.id));
      answerError(new ApiError(400, 'path: malformed percent-encoding'), request, reply);
      reply.raw.on('close', () => observeRequest(request, reply, metrics)); // no hook runs for these
    },
  });
  unparsable.attach(app.server);
  // No route has a body, so none is read, whatever its content-type is.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.decorateRequest('logDetails', null);
  app.setErrorHandler(answerError);
  return app;
}
