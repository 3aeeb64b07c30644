import type { FastifyInstance } from 'fastify';
import type { RosterReader } from '../roster/roster.ts';
import { sendJson } from './answer.ts';
import { ApiError } from './errors.ts';
import { RETRY_AFTER_SECONDS } from './limits.ts';
import { HEALTH_PATH, READINESS_PATH } from './paths.ts';

/** For whoever restarts the service (is it alive?) and whoever sends it requests (should it get any?). */
export function addHealthRoutes(app: FastifyInstance, roster: RosterReader, isStopping: () => boolean): void {
  const ready = shared(() => roster.checkReadiness());

  app.get(HEALTH_PATH, (_, reply) => sendJson(reply, '{"status":"alive"}'));
  app.get(READINESS_PATH, async (_, reply) => {
    if (isStopping())
      throw new ApiError(503, 'the service is stopping', { 'retry-after': RETRY_AFTER_SECONDS });
    await ready();
    return sendJson(reply, '{"status":"ready"}');
  });
}

/** Callers that come while one is under way get its outcome: anyone may ask, and must not load the store by it. */
function shared(check: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => {
    underWay ??= check().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
