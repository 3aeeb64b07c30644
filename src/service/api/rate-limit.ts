import { ApiError } from './errors.ts';
import { MAX_COUNTED_CALLERS, MAX_FAILED_AUTHENTICATIONS, RATE_WINDOW_SECONDS } from './limits.ts';
import type { Authentication } from './request.ts';

/** The two rate limits: of requests, by caller, and of failed authentications, by the client's network. */
export type LimitName = 'requests' | 'failures';

/** How many of each a window allows, derived from one setting. */
export function quotasOf(requestsPerMinute: number): Record<LimitName, number> {
  return {
    requests: requestsPerMinute,
    failures: Math.min(requestsPerMinute, MAX_FAILED_AUTHENTICATIONS),
  };
}

/** What is known of each caller until the caller's window ends. So many callers are kept that they can't fill the memory. */
export class CallerWindows<W extends { readonly endsAt: number }> {
  /** Windows have one length, so they end in about the order of insertion. */
  readonly #windows = new Map<string, W>();

  /** All times are on the clock of `performance.now()`. */
  current(caller: string, now: number): W | undefined {
    const window = this.#windows.get(caller);
    return window && now < window.endsAt ? window : undefined;
  }

  begin(caller: string, now: number, window: W): W {
    this.#windows.delete(caller);
    for (const [other, { endsAt }] of this.#windows) {
      if (now < endsAt && this.#windows.size < MAX_COUNTED_CALLERS) break;
      this.#windows.delete(other);
    }
    this.#windows.set(caller, window);
    return window;
  }
}

/** A part of a caller's quota. */
export interface Taken {
  /** Requests; 0: none were left. */
  readonly granted: number;
  /** What is left of the quota after that. */
  readonly left: number;
  /** Until the caller's window ends. */
  readonly msLeft: number;
}

/** How much each caller has used of a quota, in a fixed window that begins with the caller's first request. */
export class CallerCounts {
  readonly #quota: number;
  readonly #windows = new CallerWindows<{ used: number; readonly endsAt: number }>();

  /** The quota: requests in a window. */
  constructor(quota: number) {
    this.#quota = quota;
  }

  /** Takes as many requests as the caller has left, up to `max`. */
  take(caller: string, max = 1): Taken {
    const now = performance.now();
    const window =
      this.#windows.current(caller, now) ??
      this.#windows.begin(caller, now, { used: 0, endsAt: now + RATE_WINDOW_SECONDS * 1000 });
    const granted = Math.min(max, this.#quota - window.used);
    window.used += granted;
    return { granted, left: this.#quota - window.used, msLeft: window.endsAt - now };
  }
}

interface RatePolicy {
  /** Its name in the headers. */
  readonly name: string;
  /** Requests in a window of `RATE_WINDOW_SECONDS`. */
  readonly quota: number;
  /** What is counted, for the message of the 429. */
  readonly counted: string;
}

/** What knows how much each caller has left. */
export interface Counts {
  /** Takes one request. The promise is for what another process counts. */
  take(caller: string): Taken | Promise<Taken>;
}

type Headers = Record<string, string>;

/** A quota for each caller in a fixed window. The counts are in the memory of this process, unless others are given. */
export class RateLimit {
  readonly #policy: RatePolicy;
  readonly #policyHeader: string;
  readonly #counts: Counts;

  constructor(policy: RatePolicy, counts: Counts = new CallerCounts(policy.quota)) {
    this.#policy = policy;
    this.#policyHeader = `"${policy.name}";q=${policy.quota};w=${RATE_WINDOW_SECONDS}`;
    this.#counts = counts;
  }

  /**
   * Counts one request of this caller. Returns the headers with the remaining quota (draft-ietf-httpapi-ratelimit-headers-10).
   * Throws a 429 when the quota is used up.
   */
  count(caller: string): Headers | Promise<Headers> {
    const taken = this.#counts.take(caller);
    return taken instanceof Promise ? taken.then(later => this.#headersOf(later)) : this.#headersOf(taken);
  }

  #headersOf({ granted, left, msLeft }: Taken): Headers {
    const { name, quota, counted } = this.#policy;
    const seconds = Math.ceil(msLeft / 1000);
    const headers = {
      'ratelimit-policy': this.#policyHeader,
      ratelimit: `"${name}";r=${left};t=${seconds}`,
    };
    if (granted > 0) return headers;
    const message = `rate limit: more than ${quota} ${counted} in ${RATE_WINDOW_SECONDS} s; try again in ${seconds} s`;
    throw new ApiError(429, message, { ...headers, 'retry-after': String(seconds) });
  }
}

export type CountsOf = (limit: LimitName) => Counts;

/** Both limits; 0: no limits. With `countsOf` others have the counts. */
export function rateLimits(
  requestsPerMinute: number,
  { name, counted }: Authentication['rateLimit'],
  countsOf?: CountsOf,
): Record<LimitName, RateLimit> | null {
  if (requestsPerMinute === 0) return null;
  const { requests, failures } = quotasOf(requestsPerMinute);
  const failed = { name: 'failed-authentication', counted: 'failed authentications from this address' };
  return {
    requests: new RateLimit({ name, counted, quota: requests }, countsOf?.('requests')),
    failures: new RateLimit({ ...failed, quota: failures }, countsOf?.('failures')),
  };
}
