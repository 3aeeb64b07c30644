import { passing } from '../../admin/find/local-filter.ts';
import { checkedRecords } from '../../admin/report/readable-record.ts';
import type { ApiKeyRecord, KeyrosterClient, ListParameters, Retry } from '../../client/client.ts';
import { Observable } from '../shell/observable.ts';
import { type FilteredBy, localFiltersOf } from './local-filter.ts';
import { type RosterQuery, serviceParametersOf } from './query.ts';

/** The max page size, for as few requests as possible. */
const PAGE_SIZE = 1_000;
/** Progress is told no more often than a person can read it. */
const TELL_MS = 250;

export type WalkState =
  /** `waiting`: for the next attempt after one that failed. */
  | { readonly kind: 'running'; readonly waiting: Retry | null }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'complete' };

/** Takes the keys of a page; returns `true` where the walk is complete with them, though there are more. */
type OnPage = (keys: readonly ApiKeyRecord[]) => unknown;

/**
 * One pass over the pages of a list. It may be stopped, or fail, and then goes on behind the last page that was taken: no page is taken
 * twice, and none left out. It belongs to no view, so that it doesn't end with one.
 */
export class Walk extends Observable {
  state: WalkState = { kind: 'stopped' };
  /** How many keys were taken. */
  read = 0;
  readonly #client: KeyrosterClient;
  readonly #onPage: OnPage;
  #parameters: ListParameters;
  #controller = new AbortController();
  #toldAt = 0;
  #tellLater: ReturnType<typeof setTimeout> | undefined;

  /** @param parameters with `before_id` the walk goes back to the newest key, otherwise to the oldest. */
  constructor(client: KeyrosterClient, parameters: ListParameters, onPage: OnPage) {
    super();
    this.#client = client;
    this.#parameters = { ...parameters, limit: PAGE_SIZE };
    this.#onPage = onPage;
  }

  /** Begins, or goes on where it is. Resolves once the walk is complete, stopped or failed: `state` tells which. */
  async run(): Promise<void> {
    if (this.state.kind === 'running' || this.state.kind === 'complete') return;
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#become({ kind: 'running', waiting: null });
    try {
      await this.#takePages(signal);
      this.#become({ kind: 'complete' });
    } catch (error) {
      this.#become(signal.aborted ? { kind: 'stopped' } : { kind: 'failed', error });
    }
  }

  stop(): void {
    this.#controller.abort();
  }

  async #takePages(signal: AbortSignal): Promise<void> {
    const onRetry = (waiting: Retry) => this.#become({ kind: 'running', waiting });
    for await (const { data, first_id, last_id } of this.#client.apiKeys.pages(this.#parameters, {
      signal,
      onRetry,
    })) {
      signal.throwIfAborted();
      const isComplete = this.#onPage(checkedRecords(data));
      // In the same task as `onPage`: what is taken and where to go on can't differ.
      this.#goOnBehind(first_id, last_id);
      this.read += data.length;
      this.#tellOfProgress();
      if (isComplete === true) return;
    }
  }

  #goOnBehind(first_id: string | null, last_id: string | null): void {
    const { after_id, before_id, ...rest } = this.#parameters;
    if (before_id !== undefined) this.#parameters = { ...rest, before_id: first_id ?? before_id };
    else this.#parameters = { ...rest, after_id: last_id ?? after_id };
  }

  #tellOfProgress(): void {
    if (this.state.kind === 'running' && this.state.waiting) this.#become({ kind: 'running', waiting: null });
    else {
      const waitMs = Math.max(0, this.#toldAt + TELL_MS - performance.now());
      this.#tellLater ??= setTimeout(() => this.#tell(), waitMs);
    }
  }

  #become(state: WalkState): void {
    this.state = state;
    this.#tell();
  }

  #tell(): void {
    clearTimeout(this.#tellLater);
    this.#tellLater = undefined;
    this.#toldAt = performance.now();
    this.changed();
  }
}

/** What a walk needs of a session. */
export interface WalkSource {
  /** With retries, for walks of many pages. */
  readonly retryingClient: KeyrosterClient;
  /** What filters of the console's own need. */
  readonly desk?: FilteredBy;
}

/** A walk over the keys of a query, those that the console itself filters included. Throws `CannotFilter`. */
export function walkOfQuery(
  { retryingClient, desk }: WalkSource,
  query: RosterQuery,
  onMatches: OnPage,
): Walk {
  const filters = localFiltersOf(query, desk);
  return new Walk(retryingClient, serviceParametersOf(query), page => onMatches(passing(page, filters)));
}
