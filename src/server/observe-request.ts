import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AdminKey } from '../roster/admin-key.ts';
import type { Metrics } from './metrics.ts';

export interface LogDetails {
  readonly caller: AdminKey;
  /** Items in the answer. */
  rows?: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the handler and added to the request's log line. */
    logDetails: LogDetails | null;
  }
}

/** As nginx has it: the connection was closed before the answer was complete. It is never sent. */
const CLIENT_LEFT = 499;

/**
 * Calls back once for each request: when its response is closed and its handler has ended. A client may leave before its
 * handler knows whose admin key it sent, so a closed response alone isn't enough.
 */
export function onEachClosed(
  app: FastifyInstance,
  closed: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', () => {
      if (reply.sent) closed(request, reply);
    });
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.raw.closed) closed(request, reply);
    done(null, payload);
  });
}

/** Logs one line per request, without the URL, as its query may contain a secret that was sent by mistake. */
export function observeRequest(request: FastifyRequest, reply: FastifyReply, metrics?: Metrics): void {
  const { id: request_id, method, routeOptions } = request;
  const route = routeOptions.url ?? null;
  const { raw, statusCode, elapsedTime } = reply;
  const status = raw.writableFinished ? statusCode : CLIENT_LEFT;
  const { caller, rows } = request.logDetails ?? {};
  const callerFields = caller && { organization_id: caller.organizationId, admin_key_id: caller.id, rows };
  const duration_ms = Math.round(elapsedTime * 1000) / 1000;
  request.log.info({ request_id, ...callerFields, method, route, status, duration_ms }, 'request');
  metrics?.requests.observe({ method, route: route ?? '', status }, elapsedTime / 1000);
}

/** The same for a request that never reached the app: only its answer is known. */
export function observeUnparsed(
  request_id: string,
  status: number,
  log: FastifyBaseLogger,
  metrics?: Metrics,
): void {
  log.info({ request_id, method: null, route: null, status }, 'request');
  metrics?.requests.observe({ method: '', route: '', status }, 0);
}
