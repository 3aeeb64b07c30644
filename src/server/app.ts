import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { Vendor } from '../roster/admin-key.ts';
import { StoreUnavailable } from '../roster/errors.ts';
import type { RosterReader } from '../roster/roster.ts';
import { headersOfEveryAnswer, newRequestId, sendJson } from './answer.ts';
import { answerUnparsable } from './answer-unparsable.ts';
import { ApiError, renderError } from './errors.ts';
import { LIST_API_KEYS_PATH, listApiKeys } from './list-api-keys.ts';
import { openApiDocument } from './openapi.ts';

/** Request line and headers together. A legitimate request has under 1 KiB. */
const MOST_HEADER_BYTES = 16 * 1024;
/** The path with its query; every parameter at its longest comes to under 1 KiB. */
const MOST_URL_LENGTH = 8 * 1024;
/** From the first byte of a request to the last. There is no body to wait for. */
const REQUEST_TIMEOUT_MS = 10_000;
/** What a client should wait while the store can't be reached: about as long as a restart takes. */
const RETRY_AFTER_SECONDS = '5';

export interface AppOptions {
  readonly roster: RosterReader;
  readonly vendor: Vendor;
  /** Where log lines go (JSON, a line each); absent: nowhere. */
  readonly log?: { write(line: string): void };
}

/** The service, not yet listening. It can only read: it is given the read half of a store. */
export function createApp({ roster, vendor, log }: AppOptions): FastifyInstance {
  const app = fastify({
    http: { maxHeaderSize: MOST_HEADER_BYTES, requireHostHeader: false },
    requestTimeout: REQUEST_TIMEOUT_MS,
    logger: log ? { stream: log } : false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: newRequestId,
    return503OnClosing: false,
    clientErrorHandler: answerUnparsable,
    frameworkErrors: (_, request, reply) => {
      reply.headers(headersOfEveryAnswer(request.id));
      sendError(new ApiError(400, 'path: malformed percent-encoding'), request, reply);
    },
  });
  // No route has a body, so none is read, whatever its content-type says.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOfEveryAnswer(request.id));
    requireOneHost(request);
    if (request.raw.url && request.raw.url.length > MOST_URL_LENGTH) {
      throw new ApiError(414, `URL: must be at most ${MOST_URL_LENGTH} characters`);
    }
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const duration_ms = Math.round(reply.elapsedTime * 1000) / 1000;
    reply.log.info(
      { method, route: routeOptions.url ?? null, status: reply.statusCode, duration_ms },
      'request',
    );
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));

  // The route table.
  const openApi = JSON.stringify(openApiDocument(vendor));
  app.get(LIST_API_KEYS_PATH, listApiKeys(roster, vendor));
  app.get('/openapi.json', (_, reply) => sendJson(reply, openApi));
  app.setNotFoundHandler(refuseMethodOrPath(new Set([LIST_API_KEYS_PATH, '/openapi.json'])));
  return app;
}

/** RFC 9112, section 3.2: a request without exactly one Host is malformed. */
function requireOneHost({ raw }: FastifyRequest): void {
  const hosts = raw.headersDistinct.host?.length ?? 0;
  if (hosts > 1) throw new ApiError(400, 'host: header given more than once');
  if (hosts === 0 && raw.httpVersion !== '1.0') throw new ApiError(400, 'host: header is required');
}

/** A path that there is, asked with another method, is a 405; any other path a 404. */
function refuseMethodOrPath(paths: ReadonlySet<string>) {
  return function refuse({ raw }: FastifyRequest): never {
    const [path = ''] = (raw.url ?? '').split('?', 1);
    if (paths.has(path)) throw new ApiError(405, 'method: must be GET or HEAD', { allow: 'GET, HEAD' });
    throw new ApiError(404, `path: not found; API keys are listed at ${LIST_API_KEYS_PATH}`);
  };
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const apiError = apiErrorOf(error);
  if (apiError.status >= 500) reply.log.error({ err: error }, 'request failed');
  reply.code(apiError.status).headers(apiError.headers);
  return sendJson(reply, renderError(apiError, request.id));
}

/** Two messages an error: the caller's says nothing about the inside, the log has the cause under the request ID. */
function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreUnavailable) {
    return new ApiError(503, 'the roster can not be read just now; try again', {
      'retry-after': RETRY_AFTER_SECONDS,
    });
  }
  const { statusCode } = error as { statusCode?: number };
  if (statusCode && statusCode < 500) return new ApiError(400, 'malformed request');
  return new ApiError(500, 'an internal error; the request_id finds it in the log');
}
