import { checkListOptions, type ListOptions } from './list-options.ts';
import { Listing } from './listing.ts';
import { type ApiKeyPage, fetchPage, walkPages } from './page.ts';
import type { ListParameters } from './parameters.ts';
import type { Transport } from './transport.ts';

export class ApiKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * `await` it for one page. `for await` goes over the records of this page and of all pages behind it: from newest to
   * oldest, or, with `before_id`, back to the newest. Sends nothing before either.
   */
  list(parameters: ListParameters = {}, options: ListOptions = {}): Listing {
    return new Listing(() => this.#fetchFirst(parameters, options), parameters.before_id !== undefined);
  }

  /** The pages that `for await` over `list` goes through. The keys of each are newest first, in both directions. */
  pages(parameters: ListParameters = {}, options: ListOptions = {}): AsyncIterable<ApiKeyPage> {
    return walkPages(() => this.#fetchFirst(parameters, options), parameters.before_id !== undefined);
  }

  async #fetchFirst(parameters: ListParameters, options: ListOptions): Promise<ApiKeyPage> {
    checkListOptions(options);
    return fetchPage(this.#transport, parameters, options);
  }
}
