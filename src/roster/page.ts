import type { ApiKeyId } from './identifier.ts';

/** A page of a roster, always newest first. */
export interface Page {
  readonly items: readonly PageItem[];
  /** Whether more keys match: before the first item for a `before` cursor, otherwise after the last. Always exact. */
  readonly hasMore: boolean;
}

/** An API key with its JSON record, which was rendered when the key was written. */
export interface PageItem {
  readonly id: ApiKeyId;
  readonly record: string;
}
