import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
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

/** Logs one line per request, without the URL, as its query may contain a secret that was sent by mistake. */
export function observeRequest(request: FastifyRequest, reply: FastifyReply, metrics?: Metrics): void {
  const { id: request_id, method, routeOptions } = request;
  const route = routeOptions.url ?? null;
  const { statusCode: status, elapsedTime } = reply;
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
