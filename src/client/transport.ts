import { type AdminKeySource, currentAdminKey } from './admin-key.ts';
import { type Answer, readAnswer } from './answer.ts';
import { connectionError } from './connection-error.ts';
import { KeyrosterError } from './errors.ts';
import { type KeyrosterClientOptions, type ListOptions, parseOptions, type Settings } from './options.ts';
import type { ListParameters } from './parameters.ts';
import { mayRetry, pause, untilAborted, waitMs } from './retry.ts';

/** How one request is sent. */
export interface Sending extends ListOptions {
  /** Until then no retry is made, nor told. */
  readonly wanted?: Promise<void>;
  /** Parameters that this service doesn't get. */
  readonly withheld?: readonly string[];
}

/** Sends the request of the one operation, with retries. The admin key is in a private field, which nothing prints. */
export class Transport {
  readonly #settings: Settings;
  readonly #adminKey: AdminKeySource;
  readonly #sentKeys = new SentKeys();
  #wasAnswered = false;

  constructor(options: KeyrosterClientOptions) {
    this.#settings = parseOptions(options);
    this.#adminKey = options.adminKey;
  }

  /** What `read` makes of the answer. Throws a `KeyrosterError`, a `TypeError` for a parameter, or the signal's reason. */
  async get<Result>(
    parameters: ListParameters,
    { signal, onRetry, wanted, withheld = [] }: Sending,
    read: (answer: Answer) => Result,
  ): Promise<Result> {
    const url = urlOf(this.#settings.url, parameters, withheld);
    for (let retry = 0; ; retry++) {
      signal?.throwIfAborted();
      try {
        const answer = await this.#inTime(signal, async attempt => {
          const adminKey = await currentAdminKey(this.#adminKey, attempt);
          this.#sentKeys.add(adminKey);
          return this.#send(url, adminKey, attempt);
        });
        return read(answer);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof KeyrosterError)) throw error;
        const failure = failureOf(error, this.#sentKeys, parameters);
        if (retry === this.#settings.retries || !mayRetry(failure, this.#wasAnswered)) throw failure;
        const failedAt = performance.now();
        await wanted;
        const waited = wanted ? performance.now() - failedAt : 0;
        const wait = Math.max(0, waitMs(retry, failure) - waited);
        onRetry?.({ error: failure, waitMs: wait });
        await pause(wait, signal);
      }
    }
  }

  /** Runs one attempt, whose signal is aborted by the other one or after the timeout. */
  async #inTime<Result>(
    signal: AbortSignal | undefined,
    run: (attempt: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    // Not AbortSignal.timeout, whose timer keeps running after the attempt.
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    const timer = setTimeout(abort, this.#settings.timeoutMs);
    signal?.addEventListener('abort', abort);
    try {
      return await run(attempt.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async #send(url: string, adminKey: string, attempt: AbortSignal): Promise<Answer> {
    const { fetch, headers, timeoutMs } = this.#settings;
    const { origin } = this.#settings.url;
    const answer = async () => {
      const response = await fetch(url, {
        headers: { ...headers, 'x-api-key': adminKey },
        redirect: 'manual',
        signal: attempt,
      });
      this.#wasAnswered = true;
      return readAnswer(response, this.#settings, attempt);
    };
    const time = timeoutMs % 1000 === 0 ? `${timeoutMs / 1000} s` : `${timeoutMs} ms`;
    const message = `no complete answer from ${origin} within ${time}`;
    const tooLate = () => new KeyrosterError({ type: 'timeout_error', message });
    try {
      return await untilAborted(attempt, answer(), tooLate);
    } catch (error) {
      if (error instanceof KeyrosterError) throw error;
      throw attempt.aborted ? tooLate() : connectionError(error, origin, this.#wasAnswered);
    }
  }
}

function urlOf(operation: URL, parameters: ListParameters, withheld: readonly string[]): string {
  const url = new URL(operation);
  for (const [name, value] of Object.entries(parameters)) {
    // As text it would be another value: that of a key without a workspace, for example, would match no key.
    if (value === null) throw new TypeError(`${name}: must not be null: leave it out`);
    if (value !== undefined && !withheld.includes(name)) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** The messages of docs/api.md#errors are far shorter. A longer one is cut off, as it would fill a terminal or a log. */
const MAX_MESSAGE_CHARACTERS = 2_000;

/**
 * The error that the caller gets. A message of the service or of the runtime may repeat the admin key that was sent, or one
 * that was sent before, and a service may list it as an ID.
 */
function failureOf(error: KeyrosterError, sentKeys: SentKeys, parameters: ListParameters) {
  const { message, requestId, code, ...fields } = error.toJSON();
  const clean = (text: string) => sentKeys.clean(text);
  const repeated = Object.values(parameters).some(value => clean(String(value)) !== String(value));
  return new KeyrosterError({
    ...fields,
    message: clean(message).slice(0, MAX_MESSAGE_CHARACTERS), // the whole is clean first, as the end may be in a key
    requestId: requestId && clean(requestId),
    code: code && clean(code),
    resume: repeated ? null : { ...parameters },
  });
}

/** More than requests that run at once have. A function may give another admin key each time, and memory is bounded. */
const MAX_REMEMBERED = 1_000;

/** The admin keys that a client sent last, to be left out of errors. They are in a private field, which nothing prints. */
class SentKeys {
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
