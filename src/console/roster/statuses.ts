import type { ListParameters } from '../../client/client.ts';

/** The statuses that the filter can select. */
type Status = NonNullable<ListParameters['status']>;

/**
 * Every status, in the order of the filter's menu and of the charts. Each is also the CSS class of its badges and bars
 * (styles/parts.css). One that is missing doesn't compile.
 */
export const statuses = Object.keys({
  active: true,
  inactive: true,
  archived: true,
} satisfies Record<Status, true>) as readonly Status[];

/** A newer service may have statuses that aren't in the table. They have no colour of their own. */
export function badgeClassesOf(status: string): string {
  return statuses.find(each => each === status) ?? '';
}
