/** The declared fields that have a meaning, where they are declared: both are timestamps (docs/api.md#expiry-and-last-use). */
export const LIFECYCLE_FIELDS = ['expires_at', 'last_used_at'] as const;
export type LifecycleField = (typeof LIFECYCLE_FIELDS)[number];

/** What of a record tells whether its key still works. */
export interface Lifecycle {
  readonly status: string;
  readonly created_at: string;
  readonly expires_at?: unknown;
  readonly last_used_at?: unknown;
}

/** Whether an active key is past its `expires_at`, in milliseconds since 1970. A key without one doesn't expire. */
export function hasExpired({ status, expires_at }: Lifecycle, now: number): boolean {
  return status === 'active' && typeof expires_at === 'string' && Date.parse(expires_at) <= now;
}
