import { type Answer, readAnswer } from './answer.ts';
import type { ListQuery } from './api-keys.ts';
import { KeyrosterError } from './errors.ts';
import { type ConnectionOptions, parseOptions, type Settings } from './options.ts';
import { mayRetry, pause, waitMs } from './retry.ts';

/** Asks the one operation, again where that may help. The admin key is in a private field, which nothing prints. */
export class Connection {
  readonly #settings: Settings;

  constructor(options: ConnectionOptions) {
    this.#settings = parseOptions(options);
  }

  /** Throws a `KeyrosterError`, or the signal's reason. */
  async get(query: ListQuery, signal: AbortSignal | undefined): Promise<Answer> {
    for (let retry = 0; ; retry++) {
      try {
        return await this.#attempt(query, signal);
      } catch (error) {
        signal?.throwIfAborted();
        const failure = this.#withoutAdminKey(error as KeyrosterError);
        if (retry === this.#settings.retries || !mayRetry(failure)) throw failure;
        await pause(waitMs(retry, failure), signal);
      }
    }
  }

  async #attempt(query: ListQuery, signal: AbortSignal | undefined): Promise<Answer> {
    signal?.throwIfAborted();
    const { fetch, headers, timeoutMs, url } = this.#settings;
    // Not AbortSignal.timeout, whose timer would outlive the attempt.
    const attempt = new AbortController();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      attempt.abort();
    }, timeoutMs);
    const abort = () => attempt.abort();
    signal?.addEventListener('abort', abort);
    try {
      const response = await fetch(this.#url(query), { headers, redirect: 'manual', signal: attempt.signal });
      return await readAnswer(response, this.#settings);
    } catch (error) {
      if (error instanceof KeyrosterError) throw error;
      const nothing = `no whole answer from ${url.origin}`;
      throw timedOut
        ? new KeyrosterError({ type: 'timeout_error', message: `${nothing} within ${timeoutMs} ms` })
        : new KeyrosterError({ type: 'network_error', message: `${nothing}: ${reasonOf(error)}` });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  #url(query: ListQuery): string {
    const url = new URL(this.#settings.url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url.href;
  }

  /** A service may repeat what it was sent, and so may a runtime. */
  #withoutAdminKey(error: KeyrosterError): KeyrosterError {
    const clean = (text: string) => text.replaceAll(this.#settings.adminKey, '[admin key]');
    const { requestId, ...details } = error.toJSON();
    const message = clean(error.message);
    return new KeyrosterError({ ...details, message, requestId: requestId && clean(requestId) });
  }
}

/** `fetch` itself only says that it failed; the reason is the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown; message?: unknown }; message?: unknown };
  return String(cause?.code ?? cause?.message ?? message ?? error);
}
