import type { ApiKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import type { Status } from '../../../shared/record/status.ts';
import type { ApiKey } from '../api-key.ts';
import type { KeyUse } from './key-use.ts';
import type { KeysToPut, PutCounts, PutOutcome, StatusCounts } from './put-outcome.ts';

export interface KeyWriter {
  /**
   * Inserts these keys, or updates name, status, workspace, hint and declared fields of those that exist, all of them or none. No two have the same
   * ID. Refuses what an import refuses, with a fault for each field, and an unknown organization.
   */
  putApiKeys(organization: OrganizationId, keys: KeysToPut): Promise<PutCounts>;

  /**
   * Puts keys of any organizations in one transaction, each as if it were put by itself after the one before, and records uses of
   * keys. Returns the outcome of each. Those of an unknown organization are refused, and with `orNone` all are then.
   */
  feedApiKeys(lines: readonly FeedLine[], orNone?: boolean): Promise<readonly PutOutcome[]>;

  /** Changes the status of all these keys, or of none. Refuses an unknown key, and another status for an archived one. */
  setStatus(organization: OrganizationId, ids: readonly ApiKeyId[], status: Status): Promise<StatusCounts>;
}

/** A line of a feed, which is valid by itself. */
export interface FeedLine<Key = ApiKey | KeyUse> {
  readonly organizationId: OrganizationId;
  readonly key: Key;
}
