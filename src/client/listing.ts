import type { ApiKey } from './openapi.ts';
import { type Page, walk } from './page.ts';

/** A page to come, which is also every record from there on. It is asked for when it is awaited or iterated. */
export class Listing implements Promise<Page>, AsyncIterable<ApiKey> {
  readonly #fetchFirst: () => Promise<Page>;
  readonly #backward: boolean;
  #first: Promise<Page> | undefined;

  constructor(fetchFirst: () => Promise<Page>, backward: boolean) {
    this.#fetchFirst = fetchFirst;
    this.#backward = backward;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ApiKey, void> {
    for await (const page of walk(this.#fetchFirst, this.#backward)) {
      yield* this.#backward ? page.data.toReversed() : page.data;
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise, but one that waits to be asked
  then<Result = Page, Failure = never>(
    onPage?: ((page: Page) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#first ??= this.#fetchFirst();
    return this.#first.then(onPage, onError);
  }

  catch<Failure = never>(
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Page | Failure> {
    return this.then(null, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page> {
    return this.then().finally(onEnd);
  }

  get [Symbol.toStringTag](): string {
    return 'Listing';
  }
}
