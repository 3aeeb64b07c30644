/**
 * The typed client of the list operation (docs/api.md). It needs `fetch` and nothing else, so it runs in Node,
 * browsers, Deno and Bun.
 */
import type { ApiKeyRecord } from './openapi.ts';
import type { KeyrosterClientOptions, ListOptions } from './options.ts';
import { ApiKeyPage } from './page.ts';
import type { ListParameters } from './parameters.ts';
import { Transport } from './transport.ts';

export { KeyrosterError, type KeyrosterErrorType } from './errors.ts';
export type { ApiKeyRecord } from './openapi.ts';
export { InvalidOptionError, type KeyrosterClientOptions, type ListOptions, type Retry } from './options.ts';
export type { ApiKeyPage } from './page.ts';
export type { ListParameters } from './parameters.ts';
export type { ApiKeys, Listing };

export class KeyrosterClient {
  readonly apiKeys: ApiKeys;

  /** Throws an `InvalidOptionError`. */
  constructor(options: KeyrosterClientOptions) {
    this.apiKeys = new ApiKeys(new Transport(options));
  }
}

class ApiKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * `await` it for one page. `for await` goes over the records of this page and of all pages behind it: from newest to
   * oldest, or, with `before_id`, back to the newest. Sends nothing before either.
   */
  list(parameters: ListParameters = {}, options: ListOptions = {}): Listing {
    return new Listing(this.#transport, parameters, options);
  }

  /**
   * The pages that `for await` over `list` goes through. The keys of each are newest first, in both directions. Once the second
   * is asked for, the next one is fetched while you have one; a loop that ends aborts that.
   */
  pages(parameters: ListParameters = {}, options: ListOptions = {}): AsyncIterable<ApiKeyPage> {
    return ApiKeyPage.walk([this.#transport, parameters, options]);
  }
}

/** A promise of a page, and an iterable over the records from that page on. Sends nothing until it is awaited or iterated. */
class Listing implements Promise<ApiKeyPage>, AsyncIterable<ApiKeyRecord> {
  readonly #request: readonly [Transport, ListParameters, ListOptions];
  #first: Promise<ApiKeyPage> | undefined;

  constructor(...request: readonly [Transport, ListParameters, ListOptions]) {
    this.#request = request;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ApiKeyRecord, void> {
    const backward = this.#request[1].before_id !== undefined;
    for await (const { data } of ApiKeyPage.walk(this.#request)) yield* backward ? data.toReversed() : data;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise, but one that sends its request only when it is awaited
  then<Result = ApiKeyPage, Failure = never>(
    onPage?: ((page: ApiKeyPage) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#first ??= ApiKeyPage.fetch(this.#request);
    return this.#first.then(onPage, onError);
  }

  catch<Failure = never>(
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<ApiKeyPage | Failure> {
    return this.then(null, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<ApiKeyPage> {
    return this.then().finally(onEnd);
  }

  get [Symbol.toStringTag](): string {
    return 'Listing';
  }
}
