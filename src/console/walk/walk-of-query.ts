import type { ApiKeyRecord, KeyrosterClient } from '../../client/client.ts';
import { type LocalFilter, localFilterOf } from './local-filter.ts';
import type { Places } from './places.ts';
import { type RosterQuery, serviceParametersOf } from './query.ts';
import { type Guess, type OnPage, Walk } from './walk.ts';

/** What a walk needs of a session. */
export interface WalkSource {
  /** With retries, for walks of many pages. */
  readonly retryingClient: KeyrosterClient;
  readonly places: Places;
}

/**
 * A walk over the keys of a query, those that the console itself filters included. It begins at the query's cursor, or near the first
 * key that is old enough, and ends once no further key can match. Throws an `AddressError`.
 */
export function walkOfQuery(
  { retryingClient, places }: WalkSource,
  query: RosterQuery,
  onMatches: OnPage,
): Walk {
  const filter = localFilterOf(query);
  const backward = query.before_id !== undefined;
  const onPage: OnPage = page => {
    places.add(page);
    const isFull = onMatches(page.filter(filter.matches)) ?? false;
    return isFull || isPast(filter, backward, page);
  };
  return new Walk(retryingClient, serviceParametersOf(query), onPage, guessOf());

  function guessOf(): Guess | null {
    const hasCursor = backward || query.after_id !== undefined;
    const place = filter.before === null || hasCursor ? undefined : places.lastNotBefore(filter.before);
    return place === undefined ? null : { after_id: place.id, onGone: () => places.forget(place.id) };
  }
}

/** Whether the walk has left the range of time behind. */
function isPast({ from, before }: LocalFilter, backward: boolean, page: readonly ApiKeyRecord[]): boolean {
  const [newest, oldest] = [page.at(0), page.at(-1)];
  if (backward) return before !== null && newest !== undefined && newest.created_at >= before;
  return from !== null && oldest !== undefined && oldest.created_at < from;
}
