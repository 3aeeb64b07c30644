/** The declared fields that have a meaning, where they are declared: both are timestamps (docs/api.md#expiry-and-last-use). */
export const LIFECYCLE_FIELDS = ['expires_at', 'last_used_at'] as const;
export type LifecycleField = (typeof LIFECYCLE_FIELDS)[number];

/** What of a record tells whether its key still works. */
export interface Lifecycle {
  readonly status?: string | null;
  readonly created_at?: unknown;
  readonly expires_at?: unknown;
  readonly last_used_at?: unknown;
}

/** Whether an active key is past its `expires_at`, in milliseconds since 1970. A key without one doesn't expire. Some services say it themselves. */
export function hasExpired(key: Lifecycle, now: number): boolean {
  if (key.status === 'expired') return true;
  return key.status === 'active' && (lifecycleTime(key, 'expires_at') ?? Number.POSITIVE_INFINITY) <= now;
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** The status as a person is told it; `?` where the record doesn't tell. */
export function shownStatus(key: Lifecycle, now: number): string {
  return hasExpired(key, now) ? 'expired' : (key.status ?? '?');
}

/** In milliseconds since 1970. `null`: none is known, which CSV has as an empty text; `undefined`: the record doesn't tell. */
export function lifecycleTime(key: Lifecycle, field: LifecycleField): number | null | undefined {
  const value = key[field];
  if (value === null || value === '') return null;
  // `Date.parse` alone takes 01-12-2026 for January, and a time without a zone for that of this machine.
  const time =
    typeof value === 'string' && RFC_3339.test(value) ? Date.parse(value.replace(' ', 'T')) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Whether its time comes, and comes in so many milliseconds at the latest. */
export function expiresWithin(key: Lifecycle, ms: number, now: number): boolean {
  const time = lifecycleTime(key, 'expires_at') ?? now;
  return time > now && time <= now + ms;
}

/** Whether it was used and made longer ago than that: one that was never used counts from when it was made. */
export function isUnusedFor(key: Lifecycle, ms: number, now: number): boolean {
  const used = lifecycleTime(key, 'last_used_at') ?? Number.NEGATIVE_INFINITY;
  const made = Date.parse(String(key.created_at));
  // Of one whose time of creation can't be read, such as a leap second, it is the safe side.
  return now - (Number.isNaN(made) ? used : Math.max(used, made)) > ms;
}
