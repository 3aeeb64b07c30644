import { type Answer, readAnswer } from './answer.ts';
import { KeyrosterError } from './errors.ts';
import { type KeyrosterClientOptions, parseOptions, type Settings } from './options.ts';
import type { ListParameters } from './parameters.ts';
import { mayRetry, pause, waitMs } from './retry.ts';

/** Sends the request of the one operation, with retries. The admin key is in a private field, which nothing prints. */
export class Transport {
  readonly #settings: Settings;

  constructor(options: KeyrosterClientOptions) {
    this.#settings = parseOptions(options);
  }

  /** Throws a `KeyrosterError`, or the signal's reason. */
  async get(parameters: ListParameters, signal: AbortSignal | undefined): Promise<Answer> {
    for (let retry = 0; ; retry++) {
      try {
        return await this.#attempt(parameters, signal);
      } catch (error) {
        signal?.throwIfAborted();
        const failure = this.#withoutAdminKey(error as KeyrosterError);
        if (retry === this.#settings.retries || !mayRetry(failure)) throw failure;
        await pause(waitMs(retry, failure), signal);
      }
    }
  }

  async #attempt(parameters: ListParameters, signal: AbortSignal | undefined): Promise<Answer> {
    signal?.throwIfAborted();
    const { fetch, headers, timeoutMs, url } = this.#settings;
    // Not AbortSignal.timeout, whose timer keeps running after the attempt.
    const attempt = new AbortController();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      attempt.abort();
    }, timeoutMs);
    const abort = () => attempt.abort();
    signal?.addEventListener('abort', abort);
    try {
      const response = await fetch(this.#url(parameters), {
        headers,
        redirect: 'manual',
        signal: attempt.signal,
      });
      return await readAnswer(response, this.#settings);
    } catch (error) {
      if (error instanceof KeyrosterError) throw error;
      const noAnswer = `no complete answer from ${url.origin}`;
      throw timedOut
        ? new KeyrosterError({ type: 'timeout_error', message: `${noAnswer} within ${timeoutMs} ms` })
        : new KeyrosterError({ type: 'network_error', message: `${noAnswer}: ${reasonOf(error)}` });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  #url(parameters: ListParameters): string {
    const url = new URL(this.#settings.url);
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url.href;
  }

  /** A message of the service or of the runtime may repeat what was sent. */
  #withoutAdminKey(error: KeyrosterError): KeyrosterError {
    const clean = (text: string) => text.replaceAll(this.#settings.adminKey, '[admin key]');
    const { requestId, ...fields } = error.toJSON();
    const message = clean(error.message);
    return new KeyrosterError({ ...fields, message, requestId: requestId && clean(requestId) });
  }
}

/** The message of `fetch` only says that it failed; its cause has the reason. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown; message?: unknown }; message?: unknown };
  return String(cause?.code ?? cause?.message ?? message ?? error);
}
