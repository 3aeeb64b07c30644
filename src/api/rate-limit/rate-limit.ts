import type { Authentication } from '../authentication.ts';
import { ApiError } from '../errors.ts';
import { RATE_WINDOW_SECONDS } from '../limits.ts';
import { CallerCounts, type Taken } from './caller-counts.ts';
import { LeasedCounts, type TakeLease } from './leased-counts.ts';
import { type LimitName, quotasOf } from './quotas.ts';

interface RatePolicy {
  /** Its name in the headers. */
  readonly name: string;
  /** Requests in a window of `RATE_WINDOW_SECONDS`. */
  readonly quota: number;
  /** What is counted, for the message of the 429. */
  readonly counted: string;
}

/** What knows how much each caller has left. */
interface Counts {
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

/** Both limits; 0: no limits. With `takeLease` another process has the counts. */
export function rateLimits(
  requestsPerMinute: number,
  { name, counted }: Authentication['rateLimit'],
  takeLease?: TakeLease,
): Record<LimitName, RateLimit> | null {
  if (requestsPerMinute === 0) return null;
  const quotas = quotasOf(requestsPerMinute);
  const limit = (limitName: LimitName, policy: Omit<RatePolicy, 'quota'>) =>
    new RateLimit(
      { ...policy, quota: quotas[limitName] },
      takeLease && new LeasedCounts(caller => takeLease(limitName, caller)),
    );
  return {
    requests: limit('requests', { name, counted }),
    failures: limit('failures', {
      name: 'failed-authentication',
      counted: 'failed authentications from this address',
    }),
  };
}
