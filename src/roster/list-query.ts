import type { Status } from './api-key.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from './identifier.ts';

/** Items per page (spec, section 8). */
export const LIMIT = { default: 20, min: 1, max: 1000 } as const;

/** One request for a page. Every part has been parsed: a `ListQuery` can't be wrong. */
export interface ListQuery {
  /** A whole number within `LIMIT`. */
  readonly limit: number;
  /** `null`: the first page. */
  readonly cursor: Cursor | null;
  /** Parts that are absent don't restrict; the others combine with AND. */
  readonly filter: Filter;
}

/** A position in the order: the key with this ID, whether or not it passes the filter. */
export interface Cursor {
  readonly direction: 'after' | 'before';
  readonly id: ApiKeyId;
}

export interface Filter {
  readonly status?: Status;
  readonly workspaceId?: WorkspaceId;
  readonly creatorId?: CreatorId;
}
