import {
  CallerCounts,
  CallerWindows,
  type Counts,
  type LimitName,
  quotasOf,
  type Taken,
} from './rate-limit.ts';

interface LeasedWindow {
  /** Requests that were taken and not used yet. */
  unspent: number;
  /** What nobody had taken of the quota, when last heard of. */
  left: number;
  readonly endsAt: number;
}

/**
 * One of several processes that share a quota: another one has the counts. This one takes several requests of a caller's quota
 * at a time, a lease, and then needs no message for each. A quota that is used up stays so until its window ends.
 */
export class LeasedCounts implements Counts {
  /** Asks the process that has the counts for some requests of a caller's quota. */
  readonly #takeLease: (caller: string) => Promise<Taken>;
  readonly #windows = new CallerWindows<LeasedWindow>();
  readonly #onTheirWay = new Map<string, Promise<void>>();

  constructor(takeLease: (caller: string) => Promise<Taken>) {
    this.#takeLease = takeLease;
  }

  take(caller: string): Taken | Promise<Taken> {
    return this.#takeKnown(caller) ?? this.#takeLater(caller);
  }

  /** `undefined`: another lease is needed. */
  #takeKnown(caller: string): Taken | undefined {
    const now = performance.now();
    const window = this.#windows.current(caller, now);
    if (!window || (window.unspent === 0 && window.left > 0)) return undefined;
    const granted = Math.min(1, window.unspent);
    window.unspent -= granted;
    return { granted, left: window.left + window.unspent, msLeft: window.endsAt - now };
  }

  /** Others may use up the lease first, so this goes on until there is one for it or the quota is used up. */
  async #takeLater(caller: string): Promise<Taken> {
    for (;;) {
      await this.#lease(caller);
      const taken = this.#takeKnown(caller);
      if (taken) return taken;
    }
  }

  /** Requests of a caller that come meanwhile wait for the same lease. */
  #lease(caller: string): Promise<void> {
    const known = this.#onTheirWay.get(caller);
    if (known) return known;
    // Measured from before it was asked for, so this window never ends later than that of the counts.
    const askedAt = performance.now();
    const lease = this.#takeLease(caller).then(({ granted, left, msLeft }) => {
      this.#onTheirWay.delete(caller);
      const window = { unspent: granted, left, endsAt: askedAt + msLeft };
      this.#windows.begin(caller, askedAt, window);
    });
    this.#onTheirWay.set(caller, lease);
    return lease;
  }
}

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
