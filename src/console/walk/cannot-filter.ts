import type { ApiKeyRecord } from '../../client/client.ts';
import { Refused } from '../../shared/record/faults.ts';
import { type LifecycleField, lifecycleTime } from '../../shared/record/lifecycle.ts';

/** The keys can't be filtered like this. An empty list would say that there is none. */
export class CannotFilter extends Refused {}

/** Throws `CannotFilter` for a key that doesn't tell the time. */
export function toldTime(key: ApiKeyRecord, field: LifecycleField): number | null {
  const time = lifecycleTime(key, field);
  if (time !== undefined) return time;
  throw new CannotFilter(
    `the service doesn't tell the ${field} of keys, so it can't be filtered by: its operator can declare that field`,
  );
}
