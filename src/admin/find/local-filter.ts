import type { ApiKeyRecord } from '../../client/client.ts';
import { Refused } from '../../shared/record/faults.ts';
import {
  expiresWithin,
  hasExpired,
  isUnusedFor,
  type LifecycleField,
  lifecycleTime,
} from '../../shared/record/lifecycle.ts';

/** A filter that the operation doesn't have: it is applied to the keys that were read. */
export type LocalFilter = (key: ApiKeyRecord) => boolean;

export const inDefaultWorkspace: LocalFilter = ({ workspace_id }) => workspace_id === null;

/** The keys can't be filtered like this. An empty list would say that there is none. */
export class CannotFilter extends Refused {}

/** Throws `CannotFilter` for a key that doesn't tell the time. */
function byTime(field: LifecycleField, passes: LocalFilter): LocalFilter {
  return key => {
    if (lifecycleTime(key, field) === undefined)
      throw new CannotFilter(
        `the service doesn't tell the ${field} of keys, so it can't be filtered by: its operator can declare that field`,
      );
    return passes(key);
  };
}

/** Of the status that the service filters by, which is active where nothing else is asked for. */
export const timeFilters = {
  expired: (now: number) => byTime('expires_at', key => hasExpired(key, now)),
  expires_within: (now: number, ms = 0) => byTime('expires_at', key => expiresWithin(key, ms, now)),
  unused_for: (now: number, ms = 0) => byTime('last_used_at', key => isUnusedFor(key, ms, now)),
} as const satisfies Readonly<Record<string, (now: number, ms?: number) => LocalFilter>>;

/** Each filter is asked of each key, as one of them may throw. */
export function passing(
  keys: readonly ApiKeyRecord[],
  filters: readonly LocalFilter[],
): readonly ApiKeyRecord[] {
  return filters.length === 0
    ? keys
    : keys.filter(key => filters.reduce((passed, passes) => passes(key) && passed, true));
}
