import type { ApiKeyId } from './identifier.ts';

/** A page of a roster, always newest first. */
export interface Page {
  readonly items: readonly PageItem[];
  /** Exact, in the requested direction: whether anything precedes the first item (`before`) or follows the last. */
  readonly hasMore: boolean;
}

/** An API key as `renderApiKey` made it when it was written, so that reading a page renders nothing. */
export interface PageItem {
  readonly id: ApiKeyId;
  readonly record: string;
}
