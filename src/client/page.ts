import type { Answer } from './answer.ts';
import { checkedPage } from './check-page.ts';
import { checkFilters, type FilterName, refusedFilters } from './filters.ts';
import type { ApiKeyList, ApiKeyRecord } from './openapi.ts';
import { checkListOptions, type ListOptions } from './options.ts';
import { WalkOrder } from './order.ts';
import type { ListParameters } from './parameters.ts';
import type { Sending, Transport } from './transport.ts';

/** What a page is asked by, and those next to it. */
type Asked = readonly [transport: Transport, parameters: ListParameters, options: ListOptions];

/** The walk that a page is of, and how its request alone is sent. */
interface Course {
  readonly order: WalkOrder;
  /** Filters that the service has refused, so that they aren't sent. */
  readonly refused: readonly FilterName[];
  readonly sending?: Sending;
}

/** One page: what the service answered, with the names of docs/api.md, and methods for the pages next to it. */
export class ApiKeyPage implements Readonly<ApiKeyList> {
  /** In the order of the service, in both directions: Keyroster's is newest first. */
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
  /** Filters that the service ignored or refused: `data` is filtered by them here. */
  readonly appliedHere: readonly FilterName[];
  /** Filters of which a record of `data` doesn't tell whether it passes. */
  readonly untold: readonly FilterName[];
  readonly #asked: Asked;
  readonly #refused: readonly FilterName[];
  /** All new records, those that no filter passes too. */
  readonly #listed: readonly ApiKeyRecord[];

  private constructor(asked: Asked, answer: Answer, { order, refused }: Course) {
    const list = checkedPage(answer, order);
    const { passing, failed, untold } = checkFilters(list.data, asked[1]);
    this.data = passing;
    this.appliedHere = [...new Set([...refused, ...failed])];
    this.untold = [...untold];
    this.first_id = list.first_id;
    this.last_id = list.last_id;
    this.has_more = list.has_more;
    this.requestId = answer.requestId;
    this.organizationId = answer.organizationId;
    this.scope = answer.scope;
    this.#asked = asked;
    this.#refused = refused;
    this.#listed = list.data;
  }

  /** Filters that the service refuses are applied here, if it answers without them. */
  static async fetch(asked: Asked, course?: Course): Promise<ApiKeyPage> {
    const [transport, parameters, options] = asked;
    checkListOptions(options);
    const { order = orderOf(parameters), sending = options, refused = [] } = course ?? {};
    const read = (answer: Answer) => new ApiKeyPage(asked, answer, { order, refused });
    try {
      return await transport.get(parameters, { ...sending, withheld: refused }, read);
    } catch (error) {
      const more = refusedFilters(error, parameters).filter(name => !refused.includes(name));
      if (more.length === 0) throw error;
      const without = { order, sending, refused: [...refused, ...more] };
      return ApiKeyPage.fetch(asked, without).catch(later => {
        throw Object(later).status === Object(error).status ? error : later;
      });
    }
  }

  /** The next page in the service's order (older keys), with the same filters and limit; `null` when there are none. */
  async nextPage(): Promise<ApiKeyPage | null> {
    return this.#following(false);
  }

  /** The page before (newer keys), with the same filters and limit; `null` when there are none. */
  async previousPage(): Promise<ApiKeyPage | null> {
    return this.#following(true);
  }

  async #following(backward: boolean, walk?: Omit<Course, 'refused'>): Promise<ApiKeyPage | null> {
    const [transport, { after_id: _after, before_id, ...rest }, options] = this.#asked;
    const atEnd = backward === (before_id !== undefined) && !this.has_more;
    const end = backward ? this.first_id : this.last_id;
    if (atEnd || end === null) return null;
    const parameters = { ...rest, ...(backward ? { before_id: end } : { after_id: end }) };
    const course = { refused: this.#refused, ...(walk ?? { order: orderOf(parameters, this.#listed) }) };
    const page = await ApiKeyPage.fetch([transport, parameters, options], course);
    return page.#listed.length > 0 ? page : null;
  }

  /**
   * The first page and all that follow it in one direction. From the second on, the next page is asked for while the consumer has
   * this one: whoever takes the first alone causes no other request, and no more than two pages are in memory. It is retried when the
   * consumer wants it, as nobody waits before.
   */
  static async *walk(asked: Asked): AsyncGenerator<ApiKeyPage, void> {
    const [, parameters, { signal, onRetry }] = asked;
    const backward = parameters.before_id !== undefined;
    const leaving = new AbortController();
    const leave = () => leaving.abort(signal?.reason);
    signal?.addEventListener('abort', leave);
    try {
      const order = orderOf(parameters);
      const first = await ApiKeyPage.fetch(asked, { order, refused: [] });
      yield first;
      let page = await first.#following(backward, { order });
      while (page) {
        signal?.throwIfAborted();
        let want = () => {};
        const wanted = new Promise<void>(resolve => {
          want = resolve;
        });
        const ahead = page.#following(backward, {
          order,
          sending: { signal: leaving.signal, onRetry, wanted },
        });
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

/** The cursor comes before the first record too. */
function orderOf({ after_id, before_id }: ListParameters, seen: readonly ApiKeyRecord[] = []): WalkOrder {
  return new WalkOrder(before_id !== undefined, [...seen.map(({ id }) => id), after_id ?? before_id ?? '']);
}
