/** Questions that are remembered as asked once. */
const MAX_ASKED_ONCE = 1_000;
/** At least so many answers have room. Larger ones are left out: they are a walk's, which asks each but once. */
const MIN_ENTRIES = 32;

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/**
 * Answers that were read from one version of the store. A question is kept from its second time on: a walk asks each of
 * its own once, and would only push out the others. At most so many bytes are kept; what was asked least recently goes
 * first.
 */
export class ProvenCache<Value> {
  readonly #maxBytes: number;
  readonly #bytesOf: (value: Value) => number;
  /** Least recently asked first. */
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #askedOnce = new Set<string>();
  #bytes = 0;
  #version: unknown;

  constructor(maxBytes: number, bytesOf: (value: Value) => number) {
    this.#maxBytes = maxBytes;
    this.#bytesOf = bytesOf;
  }

  /** What is asked from here on is asked of this version of the store. Answers of another one are forgotten. */
  proveFor(version: unknown): void {
    if (version !== this.#version) this.#clear();
    this.#version = version;
  }

  /** The answer to a question, from memory or by this read. */
  answer(question: string, read: () => Value): Value {
    const known = this.#entries.get(question);
    if (!known) return this.#keep(question, read());
    this.#entries.delete(question);
    this.#entries.set(question, known);
    return known.value;
  }

  #keep(question: string, value: Value): Value {
    if (!this.#askedOnce.delete(question)) {
      if (this.#askedOnce.size === MAX_ASKED_ONCE) this.#askedOnce.clear();
      this.#askedOnce.add(question);
      return value;
    }
    const bytes = this.#bytesOf(value);
    if (bytes > this.#maxBytes / MIN_ENTRIES) return value;
    this.#entries.set(question, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
    return value;
  }

  #clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
