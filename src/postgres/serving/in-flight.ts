/** A statement that takes longer by itself is slow: a page takes under a millisecond. */
const SLOW_MS = 250;

interface OnTheWay {
  /** What it reads from: see `Place`. */
  readonly part: string;
}

/** The statements on one connection, in the order in which PostgreSQL answers them, and how long it has been at the first of them. */
export class InFlight<T extends OnTheWay> {
  readonly #all: T[] = [];
  readonly #onSlow: (part: string) => void;
  /** While PostgreSQL can't work at it, as there is no connection yet, not at all. */
  #headSince = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** `onSlow` is called when a statement has taken too long, and again when it ends. */
  constructor(onSlow: (part: string) => void) {
    this.#onSlow = onSlow;
  }

  /** Oldest first. */
  get all(): readonly T[] {
    return this.#all;
  }

  add(statement: T): void {
    const isConnected = this.#headSince !== Number.POSITIVE_INFINITY;
    if (this.#all.push(statement) === 1 && isConnected) this.startHead();
  }

  remove(statement: T): void {
    const isHead = statement === this.#all[0];
    if (isHead && this.#isSlow()) this.#onSlow(statement.part);
    this.#all.splice(this.#all.indexOf(statement), 1);
    if (isHead && this.#headSince !== Number.POSITIVE_INFINITY) this.startHead();
  }

  /** From now on PostgreSQL works at the first. One timer is for many statements: to set one for each would take longer. */
  startHead(): void {
    this.#headSince = performance.now();
    if (this.#all.length > 0) this.#timer ??= this.#lookIn(SLOW_MS);
  }

  /** The connection is lost. */
  stop(): void {
    this.#headSince = Number.POSITIVE_INFINITY;
  }

  #isSlow(): boolean {
    return performance.now() - this.#headSince >= SLOW_MS;
  }

  /** After a timer Node hasn't read yet what arrived while it was busy. By the next `setImmediate` it has. */
  #lookIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#lookAtHead()), milliseconds).unref();
  }

  #lookAtHead(): void {
    this.#timer = undefined;
    const [head] = this.#all;
    if (!head || this.#headSince === Number.POSITIVE_INFINITY) return;
    if (this.#isSlow()) this.#onSlow(head.part);
    else this.#timer = this.#lookIn(Math.max(0, this.#headSince + SLOW_MS - performance.now()));
  }
}
