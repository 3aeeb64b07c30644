import type { Answer } from './answer.ts';
import { checkedPage, type Span } from './check-page.ts';
import type { ApiKeyList, ApiKeyRecord } from './openapi.ts';
import type { ListOptions } from './options.ts';
import type { ListParameters } from './parameters.ts';
import type { Transport } from './transport.ts';

/** One page: what the service answered, with the names of docs/api.md, and methods for the pages next to it. */
export class ApiKeyPage implements Readonly<ApiKeyList> {
  /** Newest first, in both directions. */
  readonly data: ApiKeyRecord[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  /** Whether there is more in the requested direction. */
  readonly has_more: boolean;
  readonly requestId: string | null;
  /** The organization of the admin key. */
  readonly organizationId: string | null;
  readonly #transport: Transport;
  readonly #parameters: ListParameters;
  readonly #options: ListOptions;
  readonly #span: Span;

  private constructor(
    transport: Transport,
    parameters: ListParameters,
    options: ListOptions,
    answer: Answer,
    from?: ApiKeyPage,
  ) {
    const { list, span } = checkedPage(answer, parameters, from ? from.#span : undefined);
    this.data = list.data;
    this.first_id = list.first_id;
    this.last_id = list.last_id;
    this.has_more = list.has_more;
    this.requestId = answer.requestId;
    this.organizationId = answer.organizationId;
    this.#transport = transport;
    this.#parameters = parameters;
    this.#options = options;
    this.#span = span;
  }

  /** @param from the page that this one has to continue. */
  static fetch(
    transport: Transport,
    parameters: ListParameters,
    options: ListOptions,
    from?: ApiKeyPage,
  ): Promise<ApiKeyPage> {
    const read = (answer: Answer) => new ApiKeyPage(transport, parameters, options, answer, from);
    return transport.get(parameters, options, read);
  }

  /** The page with the next older keys, with the same filters and limit; `null` when there are none. */
  async nextPage(): Promise<ApiKeyPage | null> {
    const atEnd = this.#parameters.before_id === undefined && !this.has_more;
    return atEnd || this.last_id === null ? null : this.#neighbour({ after_id: this.last_id });
  }

  /** The page with the next newer keys, with the same filters and limit; `null` when there are none. */
  async previousPage(): Promise<ApiKeyPage | null> {
    const atEnd = this.#parameters.before_id !== undefined && !this.has_more;
    return atEnd || this.first_id === null ? null : this.#neighbour({ before_id: this.first_id });
  }

  async #neighbour(cursor: { after_id: string } | { before_id: string }): Promise<ApiKeyPage | null> {
    const { after_id: _after, before_id: _before, ...rest } = this.#parameters;
    const page = await ApiKeyPage.fetch(this.#transport, { ...rest, ...cursor }, this.#options, this);
    return page.data.length > 0 ? page : null;
  }
}

/** The first page and all that follow it in one direction. Only one page is in memory at a time. */
export async function* walkPages(
  fetchFirst: () => Promise<ApiKeyPage>,
  backward: boolean,
): AsyncGenerator<ApiKeyPage, void> {
  let page: ApiKeyPage | null = await fetchFirst();
  while (page) {
    yield page;
    page = backward ? await page.previousPage() : await page.nextPage();
  }
}
