import type { ListParameters } from '../../client/client.ts';

/** The statuses that the filter can select. */
type Status = NonNullable<ListParameters['status']>;

/** The CSS classes of each status's badge. A status without them doesn't compile. */
const badgeClasses = {
  active: 'green filled',
  inactive: 'amber',
  archived: 'muted square',
} as const satisfies Record<Status, string>;

/** Every status, in the order of the filter's menu and of the chart. */
export const statuses = Object.keys(badgeClasses) as readonly Status[];

/** A newer service may have statuses that aren't in the table. */
export function badgeClassesOf(status: string): string {
  const known = statuses.find(each => each === status);
  return known === undefined ? 'muted' : badgeClasses[known];
}
