/** A part is slow when one of its statements takes longer by itself, or those of a second in sum. A page takes under a millisecond. */
const SLOW_MS = 250;
const WINDOW_MS = 1_000;
/** Shorter ones aren't added up: that would take time for each page. */
const NOTICED_MS = 10;

interface OnTheWay {
  /** What it reads from: see `Place`. */
  readonly part: string;
}

/** The statements on one connection, in the order in which PostgreSQL answers them, and how long it has been at the first of them. */
export class InFlight<T extends OnTheWay> {
  readonly #all: T[] = [];
  readonly #onSlow: (part: string, isOver: boolean) => void;
  /** While PostgreSQL can't work at it, as there is no connection yet, not at all. */
  #headSince = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** How long the statements of each part have taken in this window. */
  readonly #taken = new Map<string, number>();
  #windowEnd = 0;

  /** `onSlow` is called while a statement takes too long, and when one ends whose part is slow. */
  constructor(onSlow: (part: string, isOver: boolean) => void) {
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
    const now = performance.now();
    if (isHead && now - this.#headSince >= NOTICED_MS) this.#addUp(statement.part, now);
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

  #addUp(part: string, now: number): void {
    if (now > this.#windowEnd) {
      this.#taken.clear();
      this.#windowEnd = now + WINDOW_MS;
    }
    const taken = (this.#taken.get(part) ?? 0) + now - this.#headSince;
    this.#taken.set(part, taken);
    if (taken >= SLOW_MS) this.#onSlow(part, true);
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
    if (this.#isSlow()) this.#onSlow(head.part, false);
    else this.#timer = this.#lookIn(Math.max(0, this.#headSince + SLOW_MS - performance.now()));
  }
}
