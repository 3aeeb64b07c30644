/** The first failure is tried again at once: PostgreSQL may have restarted. */
const FAILURES_TO_OPEN = 2;
const FIRST_DELAY_MS = 50;
/** So callers are served again at most this long after PostgreSQL is back. */
const MAX_DELAY_MS = 1_000;
/** While anyone asks, a failure comes sooner than this after the last one. After it nobody knows. */
const KNOWN_FOR_MS = 15_000;

/**
 * Keeps statements from a database, or a part of one, that fails or hangs. After two failures without a success in between it is
 * open: one statement at a time is tried, each after a delay that doubles, and all others are refused at once.
 */
export class CircuitBreaker {
  readonly #whole: CircuitBreaker | undefined;
  #failures = 0;
  #failedAt = 0;
  #retryAt = 0;
  #reason = '';

  /** @param whole is told of the same outcomes: that of which this is a part. */
  constructor(whole?: CircuitBreaker) {
    this.#whole = whole;
  }

  /** Why no statement may be sent now; `null` when one may. */
  refusal(inFlight: number): string | null {
    if (!this.isOpen) return null;
    const mayProbe = inFlight === 0 && performance.now() >= this.#retryAt;
    return mayProbe ? null : this.#reason;
  }

  get isOpen(): boolean {
    return this.#failures >= FAILURES_TO_OPEN;
  }

  /** Why the last statement or connection failed; `null` where it isn't open, or nobody has asked lately. */
  get problem(): string | null {
    const isKnown = performance.now() - this.#failedAt < KNOWN_FOR_MS;
    return this.isOpen && isKnown ? this.#reason : null;
  }

  failed(reason: string): void {
    this.#whole?.failed(reason);
    this.#failures += 1;
    this.#reason = reason;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (this.#failures - FAILURES_TO_OPEN), MAX_DELAY_MS);
    // Services that lost their connections together don't come back together.
    this.#failedAt = performance.now();
    this.#retryAt = this.#failedAt + delay * (0.5 + Math.random() / 2);
  }

  succeeded(): void {
    this.#whole?.succeeded();
    this.#failures = 0;
  }
}
