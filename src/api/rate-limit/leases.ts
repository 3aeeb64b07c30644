import { CallerCounts, type Taken } from './caller-counts.ts';
import { type LimitName, quotasOf } from './quotas.ts';

/** At most this part of a quota is with processes that have no use for it. */
const MAX_SHARE_UNSPENT = 0.05;

/** The counts of several processes that share the rate limits, each of which takes leases. Give the limit of requests a minute. */
export class Leases {
  readonly #limits: Readonly<Record<LimitName, { readonly counts: CallerCounts; readonly size: number }>>;

  constructor(requestsPerMinute: number, processes: number) {
    const limit = (quota: number) => ({
      counts: new CallerCounts(quota),
      size: Math.max(1, Math.floor((quota * MAX_SHARE_UNSPENT) / processes)),
    });
    const { requests, failures } = quotasOf(requestsPerMinute);
    this.#limits = { requests: limit(requests), failures: limit(failures) };
  }

  take(limit: LimitName, caller: string): Taken {
    const { counts, size } = this.#limits[limit];
    return counts.take(caller, size);
  }
}
