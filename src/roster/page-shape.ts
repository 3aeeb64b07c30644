import type { Filter } from './filters.ts';
import type { Cursor, ListQuery } from './list-query.ts';

/** What decides how a store reads a page, whatever the values are: which filters there are, and which way it goes. */
export interface PageShape {
  readonly status: boolean;
  readonly workspace: boolean;
  readonly creator: boolean;
  /** `null`: the first page. */
  readonly direction: Cursor['direction'] | null;
}

export function shapeOf({ filter, cursor }: Pick<ListQuery, 'filter' | 'cursor'>): PageShape {
  const has = (part: keyof Filter) => filter[part] !== undefined;
  return {
    status: has('status'),
    workspace: has('workspaceId'),
    creator: has('creatorId'),
    direction: cursor?.direction ?? null,
  };
}

/** All 24: each store has an index range for every one. */
export const pageShapes: readonly PageShape[] = [false, true].flatMap(status =>
  [false, true].flatMap(workspace =>
    [false, true].flatMap(creator =>
      ([null, 'after', 'before'] as const).map(direction => ({ status, workspace, creator, direction })),
    ),
  ),
);
