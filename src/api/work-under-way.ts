/** Counts the requests that are being answered. */
export class WorkUnderWay {
  #count = 0;
  #onEnd: (() => void)[] = [];

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) for (const ended of this.#onEnd.splice(0)) ended();
  }

  /** Resolves when none is under way. */
  ended(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise(resolve => this.#onEnd.push(resolve));
  }
}
