/** More than requests that run at once have. A function may give another admin key each time, and memory is bounded. */
const MAX_REMEMBERED = 1_000;

/** The admin keys that a client sent last, to be left out of errors. They are in a private field, which nothing prints. */
export class SentKeys {
  readonly #keys = new Set<string>();

  add(adminKey: string): void {
    this.#keys.delete(adminKey);
    this.#keys.add(adminKey);
    const [oldest] = this.#keys;
    if (this.#keys.size > MAX_REMEMBERED && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** The text without these keys. The longest goes first, since it may start with another one. */
  clean(text: string): string {
    const keys = [...this.#keys].sort((a, b) => b.length - a.length);
    return keys.reduce((rest, key) => rest.replaceAll(key, '[admin key]'), text);
  }
}
