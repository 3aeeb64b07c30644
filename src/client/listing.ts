import type { ApiKeyRecord } from './openapi.ts';
import { type ApiKeyPage, walkPages } from './page.ts';

/** A promise of a page, and an iterable over the records from that page on. Sends nothing until it is awaited or iterated. */
export class Listing implements Promise<ApiKeyPage>, AsyncIterable<ApiKeyRecord> {
  readonly #fetchFirst: () => Promise<ApiKeyPage>;
  readonly #backward: boolean;
  #first: Promise<ApiKeyPage> | undefined;

  constructor(fetchFirst: () => Promise<ApiKeyPage>, backward: boolean) {
    this.#fetchFirst = fetchFirst;
    this.#backward = backward;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ApiKeyRecord, void> {
    for await (const page of walkPages(this.#fetchFirst, this.#backward)) {
      yield* this.#backward ? page.data.toReversed() : page.data;
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise, but one that sends its request only when it is awaited
  then<Result = ApiKeyPage, Failure = never>(
    onPage?: ((page: ApiKeyPage) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#first ??= this.#fetchFirst();
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
