import type { KeyrosterClient } from '../../client/client.ts';
import { localFilterOf } from './local-filter.ts';
import { type RosterQuery, serviceParametersOf } from './query.ts';
import { type OnPage, Walk } from './walk.ts';

/** What a walk needs of a session. */
export interface WalkSource {
  /** With retries, for walks of many pages. */
  readonly retryingClient: KeyrosterClient;
}

/**
 * A walk over the keys of a query, those that the console itself filters included. It ends once no further key can match. Throws an
 * `AddressError`.
 */
export function walkOfQuery({ retryingClient }: WalkSource, query: RosterQuery, onMatches: OnPage): Walk {
  const filter = localFilterOf(query);
  const backward = query.before_id !== undefined;
  return new Walk(retryingClient, serviceParametersOf(query), page => {
    const isFull = onMatches(page.filter(filter.matches)) ?? false;
    return isFull || filter.isPast(page, backward);
  });
}
