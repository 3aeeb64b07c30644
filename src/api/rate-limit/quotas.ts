import { MAX_FAILED_AUTHENTICATIONS } from '../limits.ts';

/** The two rate limits: of requests, by caller, and of failed authentications, by the client's network. */
export type LimitName = 'requests' | 'failures';

/** How many of each a window allows, derived from one setting. */
export function quotasOf(requestsPerMinute: number): Record<LimitName, number> {
  return {
    requests: requestsPerMinute,
    failures: Math.min(requestsPerMinute, MAX_FAILED_AUTHENTICATIONS),
  };
}
