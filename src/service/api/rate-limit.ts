import { ApiError } from './errors.ts';
import { MAX_COUNTED_CALLERS, MAX_FAILED_AUTHENTICATIONS, RATE_WINDOW_SECONDS } from './limits.ts';
import type { Authentication } from './request.ts';

interface RatePolicy {
  /** Its name in the headers. */
  readonly name: string;
  /** Requests in a window of `RATE_WINDOW_SECONDS`. */
  readonly quota: number;
  /** What is counted, for the message of the 429. */
  readonly counted: string;
}

/** What a caller has used of a quota. */
interface Window {
  used: number;
  readonly endsAt: number;
}

/**
 * A quota for each caller, in a fixed window that begins with the caller's first request. The counts are in the memory of this process:
 * each worker has its own.
 */
export class RateLimit {
  readonly #policy: RatePolicy;
  readonly #policyHeader: string;
  /** Windows have one length, so they end in about the order of insertion. */
  readonly #windows = new Map<string, Window>();

  constructor(policy: RatePolicy) {
    this.#policy = policy;
    this.#policyHeader = `"${policy.name}";q=${policy.quota};w=${RATE_WINDOW_SECONDS}`;
  }

  /**
   * Counts one request of this caller. Returns the headers with the remaining quota (draft-ietf-httpapi-ratelimit-headers-10).
   * Throws a 429 when the quota is used up.
   */
  count(caller: string): Record<string, string> {
    const { name, quota, counted } = this.#policy;
    const now = performance.now();
    const window = this.#windowOf(caller, now);
    const isGranted = window.used < quota;
    if (isGranted) window.used += 1;
    const seconds = Math.ceil((window.endsAt - now) / 1000);
    const headers = {
      'ratelimit-policy': this.#policyHeader,
      ratelimit: `"${name}";r=${quota - window.used};t=${seconds}`,
    };
    if (isGranted) return headers;
    const message = `rate limit: more than ${quota} ${counted} in ${RATE_WINDOW_SECONDS} s; try again in ${seconds} s`;
    throw new ApiError(429, message, { ...headers, 'retry-after': String(seconds) });
  }

  /** So many callers are kept that they can't fill the memory. */
  #windowOf(caller: string, now: number): Window {
    const known = this.#windows.get(caller);
    if (known && now < known.endsAt) return known;
    this.#windows.delete(caller);
    for (const [other, { endsAt }] of this.#windows) {
      if (now < endsAt && this.#windows.size < MAX_COUNTED_CALLERS) break;
      this.#windows.delete(other);
    }
    const window = { used: 0, endsAt: now + RATE_WINDOW_SECONDS * 1000 };
    this.#windows.set(caller, window);
    return window;
  }
}

/** The limits of requests, by caller, and of failed authentications, by the client's network; 0: no limits. */
export function rateLimits(requestsPerMinute: number, { name, counted }: Authentication['rateLimit']) {
  if (requestsPerMinute === 0) return null;
  const failed = { name: 'failed-authentication', counted: 'failed authentications from this address' };
  const failures = Math.min(requestsPerMinute, MAX_FAILED_AUTHENTICATIONS);
  return {
    requests: new RateLimit({ name, counted, quota: requestsPerMinute }),
    failures: new RateLimit({ ...failed, quota: failures }),
  };
}
