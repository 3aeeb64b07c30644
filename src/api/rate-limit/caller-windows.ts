import { MAX_COUNTED_CALLERS } from '../limits.ts';

/** What is known of each caller until the caller's window ends. So many callers are kept that they can't fill the memory. */
export class CallerWindows<W extends { readonly endsAt: number }> {
  /** Windows have one length, so they end in about the order of insertion. */
  readonly #windows = new Map<string, W>();

  /** All times are on the clock of `performance.now()`. */
  current(caller: string, now: number): W | undefined {
    const window = this.#windows.get(caller);
    return window && now < window.endsAt ? window : undefined;
  }

  begin(caller: string, now: number, window: W): W {
    this.#windows.delete(caller);
    for (const [other, { endsAt }] of this.#windows) {
      if (now < endsAt && this.#windows.size < MAX_COUNTED_CALLERS) break;
      this.#windows.delete(other);
    }
    this.#windows.set(caller, window);
    return window;
  }
}
