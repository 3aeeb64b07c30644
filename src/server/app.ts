import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { Vendor } from '../roster/admin-key.ts';
import type { RosterReader } from '../roster/roster.ts';
import { headersOfEveryAnswer, newRequestId, sendJson } from './answer.ts';
import { answerError } from './answer-error.ts';
import { answerOnSocket, answerUnparsable } from './answer-unparsable.ts';
import { ApiError } from './errors.ts';
import { MOST_HEADER_BYTES, REQUEST_TIMEOUT_MS, TIMEOUT_CHECK_MS } from './limits.ts';
import { listApiKeys } from './list-api-keys.ts';
import { openApiDocument } from './openapi.ts';
import { LIST_API_KEYS_PATH, NOT_FOUND, OPENAPI_PATH, refuseMethodOrPath } from './paths.ts';
import { requireWellFormed } from './require-well-formed.ts';

export interface AppOptions {
  readonly roster: RosterReader;
  readonly vendor: Vendor;
  /** Where log lines go (JSON, a line each); absent: nowhere. */
  readonly log?: { write(line: string): void };
}

/** The service, not yet listening. It can only read: it is given the read half of a store. */
export function createApp({ roster, vendor, log }: AppOptions): FastifyInstance {
  const app: FastifyInstance = fastify({
    http: {
      maxHeaderSize: MOST_HEADER_BYTES,
      requireHostHeader: false, // requireWellFormed does, in the contract's envelope
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
    logger: log ? { stream: log } : false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: newRequestId,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerUnparsable(error, socket, app.log),
    frameworkErrors: (_, request, reply) => {
      reply.headers(headersOfEveryAnswer(request.id));
      answerError(new ApiError(400, 'path: malformed percent-encoding'), request, reply);
      logRequest(request, reply); // no hook runs for these
    },
  });
  // No route has a body, so none is read, whatever its content-type says.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  // Node would answer these two by itself, without the envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_, socket) => answerOnSocket(new ApiError(404, NOT_FOUND), socket, app.log));

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOfEveryAnswer(request.id));
    requireWellFormed(request.raw);
    // Here, and not in a handler: Fastify judges a body's content-type before that.
    if (request.is404) refuseMethodOrPath(request.raw);
  });
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply));
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(({ raw }) => refuseMethodOrPath(raw));

  // The route table.
  const openApi = JSON.stringify(openApiDocument(vendor));
  app.get(LIST_API_KEYS_PATH, listApiKeys(roster, vendor));
  app.get(OPENAPI_PATH, (_, reply) => sendJson(reply, openApi));
  return app;
}

/** One line a request. The URL isn't in it: a query may hold what its sender should not have put there. */
function logRequest({ method, routeOptions }: FastifyRequest, reply: FastifyReply): void {
  const duration_ms = Math.round(reply.elapsedTime * 1000) / 1000;
  reply.log.info(
    { method, route: routeOptions.url ?? null, status: reply.statusCode, duration_ms },
    'request',
  );
}
