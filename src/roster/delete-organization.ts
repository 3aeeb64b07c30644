/** An organization is deleted in steps, none of which holds a lock for long. A run that is stopped is completed by the next. */
import type { ApiKeyId, OrganizationId } from './identifier.ts';
import type { Timestamp } from './timestamp.ts';

/** A step deletes this many rows at most: a tenth of a second, for which other writers of the embedded store wait. */
export const ROWS_PER_STEP = 2_000;

export interface OrganizationContents {
  readonly apiKeys: number;
  readonly adminKeys: number;
}

export interface DeletionStep {
  /** Whether this step was the first. */
  readonly begun: boolean;
  /** How many API keys it deleted. */
  readonly apiKeys: number;
  /** Those up to this ID are gone, so that the next step needn't look there first. */
  readonly after: ApiKeyId | null;
  /** Whether the organization is gone. */
  readonly done: boolean;
}

interface Store {
  deleteNext(id: OrganizationId, at: Timestamp, after: ApiKeyId | null): Promise<DeletionStep>;
}

/** @param onProgress is told the number of API keys that were deleted so far. */
export async function deleteOrganization(
  store: Store,
  id: OrganizationId,
  at: Timestamp,
  onProgress: (apiKeys: number) => void,
): Promise<void> {
  let apiKeys = 0;
  let step: DeletionStep | undefined;
  while (!step?.done) {
    step = await store.deleteNext(id, at, step?.after ?? null);
    apiKeys += step.apiKeys;
    onProgress(apiKeys);
  }
}
