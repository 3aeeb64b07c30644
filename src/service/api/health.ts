import type { StoreReader } from '../roster/pages/reader.ts';
import { type Answer, fillWithJson } from './answer.ts';
import { ApiError } from './errors.ts';
import { RETRY_AFTER_SECONDS } from './limits.ts';
import type { Log } from './log.ts';

/** For the supervisor that restarts the service. */
export function alive(answer: Answer): void {
  fillWithJson(answer, '{"status":"alive"}');
}

/**
 * For the load balancer that sends it requests. A service that can't serve some organizations stays ready for the others. What doesn't
 * work is told in the log, as anyone may ask.
 */
export function readiness(roster: Partial<StoreReader>, isReady: () => boolean, log: Log) {
  let told = '';
  const ready = coalesced(async () => {
    const problems = (await roster.checkReadiness?.()) ?? [];
    if (problems.join() !== told) {
      if (problems.length > 0) log.warn('a part of the store does not work', { problems });
      else log.info('the whole store works again');
    }
    told = problems.join();
    return problems;
  });
  return async (answer: Answer): Promise<void> => {
    if (!isReady())
      throw new ApiError(503, 'the service is stopping', { 'retry-after': RETRY_AFTER_SECONDS });
    const { length } = await ready();
    fillWithJson(answer, length === 0 ? '{"status":"ready"}' : '{"status":"degraded"}');
  };
}

/** Concurrent calls share one check, since anyone may request it and must not load the store that way. */
function coalesced<T>(check: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= check().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
