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
    /** What the handler adds to the request's log line. */
    logDetails: LogDetails | null;
  }
}

/** One log line a request. The URL isn't in it: a query may hold what its sender should not have put there. */
export function observeRequest(request: FastifyRequest, reply: FastifyReply, metrics?: Metrics): void {
  const { id: request_id, method, routeOptions } = request;
  const route = routeOptions.url ?? null;
  const { statusCode: status, elapsedTime } = reply;
  const { caller, rows } = request.logDetails ?? {};
  const who = caller && { organization_id: caller.organizationId, admin_key_id: caller.id, rows };
  const duration_ms = Math.round(elapsedTime * 1000) / 1000;
  request.log.info({ request_id, ...who, method, route, status, duration_ms }, 'request');
  metrics?.requests.observe({ method, route: route ?? '', status }, elapsedTime / 1000);
}

/** The same for a request that Node's parser gave up on: no more is known of it than its answer. */
export function observeUnparsed(
  request_id: string,
  status: number,
  log: FastifyBaseLogger,
  metrics?: Metrics,
): void {
  log.info({ request_id, method: null, route: null, status }, 'request');
  metrics?.requests.observe({ method: '', route: '', status }, 0);
}
