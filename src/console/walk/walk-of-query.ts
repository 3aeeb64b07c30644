import { passing } from '../../admin/find/local-filter.ts';
import type { KeyrosterClient } from '../../client/client.ts';
import { type FilteredBy, localFiltersOf } from './local-filter.ts';
import { type RosterQuery, serviceParametersOf } from './query.ts';
import { type OnPage, Walk } from './walk.ts';

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
