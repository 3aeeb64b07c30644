import { Leases } from '../../../api/leases.ts';
import type { LimitName, Taken } from '../../../api/rate-limit.ts';

interface Request {
  readonly limit: LimitName;
  readonly caller: string;
  readonly resolve: (lease: Taken) => void;
}

/** Asks the supervisor for leases. Those that one turn of the event loop asks for are one message. */
export class LeaseRequests {
  readonly #rateLimit: number;
  readonly #ask: (wanted: [LimitName, string][]) => void;
  /** What isn't answered yet, in the order of the answers. The last `#unsent` of them wait for the end of the turn. */
  #waiting: Request[] = [];
  #unsent = 0;
  #own: Leases | null = null;

  constructor(rateLimit: number, ask: (wanted: [LimitName, string][]) => void) {
    this.#rateLimit = rateLimit;
    this.#ask = ask;
  }

  take(limit: LimitName, caller: string): Promise<Taken> {
    if (this.#own) return Promise.resolve(this.#own.take(limit, caller));
    if (this.#unsent === 0) setImmediate(() => this.#send());
    this.#unsent += 1;
    return new Promise(resolve => this.#waiting.push({ limit, caller, resolve }));
  }

  granted(leases: readonly Taken[]): void {
    const answered = this.#waiting.splice(0, leases.length);
    for (const [index, { resolve }] of answered.entries()) resolve(leases[index] as Taken);
  }

  /** From now on this process counts by itself: the supervisor has died, and the counts with it. */
  countAlone(): void {
    const own = new Leases(this.#rateLimit, 1);
    this.#own = own;
    this.#unsent = 0;
    this.granted(this.#waiting.map(({ limit, caller }) => own.take(limit, caller)));
  }

  #send(): void {
    if (this.#unsent === 0) return;
    const wanted = this.#waiting.slice(-this.#unsent);
    this.#unsent = 0;
    this.#ask(wanted.map(({ limit, caller }) => [limit, caller]));
  }
}
