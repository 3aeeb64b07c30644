import type { Answer } from './answer.ts';
import type { ListQuery } from './api-keys.ts';
import type { Connection } from './connection.ts';
import type { ApiKey, ApiKeyList } from './openapi.ts';
import { parsePage } from './parse-page.ts';

/** One page: what the service answered, by the wire's names, and the way to its neighbours. */
export class Page implements Readonly<ApiKeyList> {
  /** Newest first, in both directions. */
  readonly data: ApiKey[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  /** Whether there is more in the direction that was asked for. */
  readonly has_more: boolean;
  readonly requestId: string | null;
  /** The admin key's organization. */
  readonly organizationId: string | null;
  readonly #connection: Connection;
  readonly #query: ListQuery;
  readonly #signal: AbortSignal | undefined;

  constructor(connection: Connection, query: ListQuery, signal: AbortSignal | undefined, answer: Answer) {
    const { data, first_id, last_id, has_more } = parsePage(answer, query);
    this.data = data;
    this.first_id = first_id;
    this.last_id = last_id;
    this.has_more = has_more;
    this.requestId = answer.requestId;
    this.organizationId = answer.organizationId;
    this.#connection = connection;
    this.#query = query;
    this.#signal = signal;
  }

  /** The page that comes next in the order, by the same filters and limit; `null` when nothing is there. */
  async nextPage(): Promise<Page | null> {
    const known = this.#query.before_id === undefined && !this.has_more;
    return known || this.last_id === null ? null : this.#neighbour({ after_id: this.last_id });
  }

  /** The page before this one in the order; `null` when nothing is there. */
  async previousPage(): Promise<Page | null> {
    const known = this.#query.before_id !== undefined && !this.has_more;
    return known || this.first_id === null ? null : this.#neighbour({ before_id: this.first_id });
  }

  async #neighbour(cursor: { after_id: string } | { before_id: string }): Promise<Page | null> {
    const { after_id: _after, before_id: _before, ...rest } = this.#query;
    const page = await fetchPage(this.#connection, { ...rest, ...cursor }, this.#signal);
    return page.data.length > 0 ? page : null;
  }
}

export async function fetchPage(
  connection: Connection,
  query: ListQuery,
  signal: AbortSignal | undefined,
): Promise<Page> {
  return new Page(connection, query, signal, await connection.get(query, signal));
}

/** The first page and all that follow it in one direction; memory holds one at a time. */
export async function* walk(fetchFirst: () => Promise<Page>, backward: boolean): AsyncGenerator<Page, void> {
  let page: Page | null = await fetchFirst();
  while (page) {
    yield page;
    page = backward ? await page.previousPage() : await page.nextPage();
  }
}
