import type { Answer } from './answer.ts';
import { checkedPage, type Span } from './check-page.ts';
import type { ApiKeyList, ApiKeyRecord } from './openapi.ts';
import { checkListOptions, type ListOptions } from './options.ts';
import type { ListParameters } from './parameters.ts';
import type { Sending, Transport } from './transport.ts';

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
  /** All that the admin key may see of it, such as `workspace_id=wrkspc_1`; `null`: everything. */
  readonly scope: string | null;
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
    this.scope = answer.scope;
    this.#transport = transport;
    this.#parameters = parameters;
    this.#options = options;
    this.#span = span;
  }

  /**
   * @param from the page that this one has to continue.
   * @param sending how this request alone is sent.
   */
  static async fetch(
    transport: Transport,
    parameters: ListParameters,
    options: ListOptions,
    from?: ApiKeyPage,
    sending: Sending = options,
  ): Promise<ApiKeyPage> {
    checkListOptions(options);
    const read = (answer: Answer) => new ApiKeyPage(transport, parameters, options, answer, from);
    return transport.get(parameters, sending, read);
  }

  /** The page with the next older keys, with the same filters and limit; `null` when there are none. */
  async nextPage(): Promise<ApiKeyPage | null> {
    return this.#following(false);
  }

  /** The page with the next newer keys, with the same filters and limit; `null` when there are none. */
  async previousPage(): Promise<ApiKeyPage | null> {
    return this.#following(true);
  }

  async #following(backward: boolean, sending?: Sending): Promise<ApiKeyPage | null> {
    const { after_id: _after, before_id, ...rest } = this.#parameters;
    const atEnd = backward === (before_id !== undefined) && !this.has_more;
    const end = backward ? this.first_id : this.last_id;
    if (atEnd || end === null) return null;
    const parameters = { ...rest, ...(backward ? { before_id: end } : { after_id: end }) };
    const page = await ApiKeyPage.fetch(this.#transport, parameters, this.#options, this, sending);
    return page.data.length > 0 ? page : null;
  }

  /**
   * The first page and all that follow it in one direction. From the second on, the next page is asked for while the consumer has
   * this one: whoever takes the first alone causes no other request, and no more than two pages are in memory. It is retried when the
   * consumer wants it, as nobody waits before.
   */
  static async *walk(
    transport: Transport,
    parameters: ListParameters,
    options: ListOptions,
  ): AsyncGenerator<ApiKeyPage, void> {
    const { signal, onRetry } = options;
    const backward = parameters.before_id !== undefined;
    const leaving = new AbortController();
    const leave = () => leaving.abort(signal?.reason);
    signal?.addEventListener('abort', leave);
    try {
      const first = await ApiKeyPage.fetch(transport, parameters, options);
      yield first;
      let page = await first.#following(backward);
      while (page) {
        signal?.throwIfAborted();
        let want = () => {};
        const wanted = new Promise<void>(resolve => {
          want = resolve;
        });
        const ahead = page.#following(backward, { signal: leaving.signal, onRetry, wanted });
        ahead.catch(() => {}); // it is thrown to whoever asks for that page
        yield page;
        signal?.throwIfAborted();
        want();
        page = await ahead;
      }
    } finally {
      signal?.removeEventListener('abort', leave);
      leave();
    }
  }
}
