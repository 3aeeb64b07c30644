import { type Answer, fillWithJson } from './answer.ts';
import { ApiError } from './errors.ts';
import { RETRY_AFTER_SECONDS } from './limits.ts';

/** For the supervisor that restarts the service. */
export function alive(answer: Answer): void {
  fillWithJson(answer, '{"status":"alive"}');
}

/** For the load balancer that sends it requests. */
export function readiness(check: () => Promise<void>, isStopping: () => boolean) {
  const ready = coalesced(check);
  return async (answer: Answer): Promise<void> => {
    if (isStopping())
      throw new ApiError(503, 'the service is stopping', { 'retry-after': RETRY_AFTER_SECONDS });
    await ready();
    fillWithJson(answer, '{"status":"ready"}');
  };
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
