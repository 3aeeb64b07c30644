import type { Connection } from './connection.ts';
import { Listing } from './listing.ts';
import type { ListParameters } from './openapi.ts';
import { fetchPage, type Page, walk } from './page.ts';

/** Parameters that are `undefined` count as absent. */
type Optional<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** The query parameters of the operation; of the two cursors at most one. */
export type ListQuery = Optional<Omit<ListParameters, 'after_id' | 'before_id'>> &
  (
    | { readonly after_id?: string | undefined; readonly before_id?: never }
    | { readonly before_id: string; readonly after_id?: never }
  );

export interface ListOptions {
  /** Ends the request, or the walk; what was asked for then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export class ApiKeys {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * `await` it for one page; `for await` goes over the records of this page and all behind it, in the query's
   * direction: newest to oldest, or from `before_id` back to the newest. Nothing is sent before either.
   */
  list(query: ListQuery = {}, { signal }: ListOptions = {}): Listing {
    return new Listing(() => fetchPage(this.#connection, query, signal), query.before_id !== undefined);
  }

  /** The pages that `list` goes over, each newest first as it is answered. */
  pages(query: ListQuery = {}, { signal }: ListOptions = {}): AsyncIterable<Page> {
    return walk(() => fetchPage(this.#connection, query, signal), query.before_id !== undefined);
  }
}
