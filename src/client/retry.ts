import { isAddressFault } from './connection-error.ts';
import type { KeyrosterError } from './errors.ts';

/** Max wait before the first retry; doubled for each further retry, up to `MAX_WAIT_MS`. */
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 8_000;
/** After a longer `retry-after` there is no retry: whether to wait so long is for the caller to decide. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Of a service that is busy, or of a proxy before it that gets no answer from it. */
const RETRIED_STATUSES: readonly unknown[] = [429, 502, 503, 504];

/** @param wasAnswered whether the service has answered anything before. */
export function mayRetry(error: KeyrosterError, wasAnswered: boolean): boolean {
  const { type, status, code, retryAfterSeconds } = error;
  if ((retryAfterSeconds ?? 0) > MAX_RETRY_AFTER_SECONDS || isAddressFault(code, wasAnswered)) return false;
  return RETRIED_STATUSES.includes(status) || type === 'network_error' || type === 'timeout_error';
}

/**
 * Exponential backoff with full jitter: a random time up to the bound, so that clients that failed together don't retry
 * together. It is added to `retry-after`.
 */
export function waitMs(retry: number, { retryAfterSeconds }: KeyrosterError): number {
  const bound = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** retry);
  return (retryAfterSeconds ?? 0) * 1000 + Math.random() * bound;
}

/** Rejects with the signal's reason when it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** What the work gives, or this error when the signal is aborted first. Work that ignores the signal isn't waited for. */
export function untilAborted<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
  error: () => KeyrosterError,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const end = () => reject(error());
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject);
  });
}
