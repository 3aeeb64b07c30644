import type { KnownGroups } from '../overview/known-totals.ts';
import type { SeenIds } from '../walk/seen-ids.ts';

/** What the pick lists of the filters have. */
export interface KnownIds {
  readonly workspaces: ReadonlySet<string>;
  readonly creators: ReadonlySet<string>;
}

/** Those with the most active keys first, as far as a count knows them; then those of the lists that were shown. */
export function knownIds(counted: KnownGroups | null, seen: SeenIds): KnownIds {
  const workspaces = (counted?.workspaces.first ?? []).flatMap(({ workspace_id }) => workspace_id ?? []);
  const creators = (counted?.creators.first ?? []).map(({ creator }) => creator.id);
  return {
    workspaces: new Set([...workspaces, ...seen.workspaces]),
    creators: new Set([...creators, ...seen.creators]),
  };
}
