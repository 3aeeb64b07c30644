import type { ListOptions, Retry } from './options.ts';

/** The options of a walk's requests, each of which may be sent before anybody waits for its answer. */
export class RequestAhead implements ListOptions {
  readonly #options: ListOptions;
  readonly #controller = new AbortController();
  readonly #abort = () => this.#controller.abort(this.#options.signal?.reason);
  #isAwaited = true;
  #held: { readonly retry: Retry; readonly until: number } | undefined;

  constructor(options: ListOptions) {
    this.#options = options;
    options.signal?.addEventListener('abort', this.#abort);
    if (options.signal?.aborted) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly onRetry = (retry: Retry): void => {
    if (this.#isAwaited) this.#options.onRetry?.(retry);
    else this.#held = { retry, until: performance.now() + retry.waitMs };
  };

  /** Nobody waits now, so a wait for a retry is told to nobody. */
  hold(): void {
    this.#isAwaited = false;
    this.#held = undefined;
  }

  /** Somebody waits from now on: for the rest of a wait that has begun. */
  release(): void {
    this.#isAwaited = true;
    const waitMs = (this.#held?.until ?? 0) - performance.now();
    if (this.#held && waitMs > 0) this.#options.onRetry?.({ ...this.#held.retry, waitMs });
  }

  /** Aborts the request that is under way. */
  end(): void {
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#abort();
  }
}
