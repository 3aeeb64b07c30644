import type { FastifyInstance } from 'fastify';
import type { StoreReader } from '../roster/roster.ts';
import { sendJson } from './answer.ts';
import { ApiError } from './errors.ts';
import { RETRY_AFTER_SECONDS } from './limits.ts';
import { HEALTH_PATH, READINESS_PATH } from './paths.ts';

/** Liveness, for the supervisor that restarts the service, and readiness, for the load balancer that sends it requests. */
export function addHealthRoutes(
  app: FastifyInstance,
  roster: Pick<StoreReader, 'checkReadiness'>,
  isStopping: () => boolean,
): void {
  const ready = coalesced(() => roster.checkReadiness());

  app.get(HEALTH_PATH, (_, reply) => sendJson(reply, '{"status":"alive"}'));
  app.get(READINESS_PATH, async (_, reply) => {
    if (isStopping())
      throw new ApiError(503, 'the service is stopping', { 'retry-after': RETRY_AFTER_SECONDS });
    await ready();
    return sendJson(reply, '{"status":"ready"}');
  });
}

/** Concurrent calls share one check, since anyone may request it and must not load the store that way. */
function coalesced(check: () => Promise<void>): () => Promise<void> {
  let pending: Promise<void> | undefined;
  return () => {
    pending ??= check().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
