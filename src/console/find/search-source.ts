import type { KeyrosterClient } from '../../client/client.ts';
import type { SeenIds } from '../walk/seen-ids.ts';
import type { WalkSource } from '../walk/walk-of-query.ts';

/** What a search needs of a session. */
export interface SearchSource extends WalkSource {
  /** Without retries: a view shows the error, with a button to try again. */
  readonly client: KeyrosterClient;
  /** For the pick lists of the filters. */
  readonly seenIds: SeenIds;
  /** The IDs of keys that were found by a full key: so it is known outside of where it is used. */
  readonly leaked: Set<string>;
}
