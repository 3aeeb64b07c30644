import type { ApiKeyRecord } from '../client/client.ts';

type Status = ApiKeyRecord['status'];

/** The CSS classes of each status's badge. A status without them doesn't compile. */
export const badgeClasses = {
  active: 'green filled',
  inactive: 'amber',
  archived: 'muted square',
} as const satisfies Record<Status, string>;

/** Every status, in the order of the filter's menu and of the chart. */
export const statuses = Object.keys(badgeClasses) as readonly Status[];
