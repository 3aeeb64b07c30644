import type { Authentication } from './authentication.ts';
import { ApiError } from './errors.ts';
import { MAX_COUNTED_CALLERS, MAX_FAILED_AUTHENTICATIONS, RATE_WINDOW_SECONDS } from './limits.ts';

interface Window {
  used: number;
  /** On the clock of `performance.now()`. */
  readonly endsAt: number;
}

interface RatePolicy {
  /** Its name in the headers. */
  readonly name: string;
  /** Requests in a window of `RATE_WINDOW_SECONDS`. */
  readonly quota: number;
  /** What is counted, for the message of the 429. */
  readonly counted: string;
}

/**
 * A quota for each caller in a fixed window, which begins with the caller's first request. The counts are in memory, so each
 * process of the service counts on its own.
 */
export class RateLimit {
  readonly #policy: RatePolicy;
  readonly #policyHeader: string;
  /** All windows have the same length, so they end in the order of insertion. */
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
    const now = performance.now();
    const window = this.#windowOf(caller, now);
    const seconds = Math.ceil((window.endsAt - now) / 1000);
    const { quota, counted } = this.#policy;
    if (window.used >= quota) {
      const message = `rate limit: more than ${quota} ${counted} in ${RATE_WINDOW_SECONDS} s; try again in ${seconds} s`;
      throw new ApiError(429, message, { ...this.#headers(0, seconds), 'retry-after': String(seconds) });
    }
    window.used += 1;
    return this.#headers(quota - window.used, seconds);
  }

  #headers(remaining: number, seconds: number): Record<string, string> {
    return {
      'ratelimit-policy': this.#policyHeader,
      ratelimit: `"${this.#policy.name}";r=${remaining};t=${seconds}`,
    };
  }

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

export interface RateLimits {
  /** Requests, by caller. */
  readonly requests: RateLimit;
  /** Failed authentications, by the client's network. */
  readonly failures: RateLimit;
}

/** Both limits, derived from one setting; 0: no limits. */
export function rateLimits(
  requestsPerMinute: number,
  { name, counted }: Authentication['rateLimit'],
): RateLimits | null {
  if (requestsPerMinute === 0) return null;
  const failures = Math.min(requestsPerMinute, MAX_FAILED_AUTHENTICATIONS);
  return {
    requests: new RateLimit({ name, quota: requestsPerMinute, counted }),
    failures: new RateLimit({
      name: 'failed-authentication',
      quota: failures,
      counted: 'failed authentications from this address',
    }),
  };
}
