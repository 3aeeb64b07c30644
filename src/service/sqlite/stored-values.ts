import type { Status } from '../../shared/record/status.ts';

/**
 * The stored value of each status. Never reuse a number for another status. A new status also needs a migration, because the
 * table has a CHECK that lists the values.
 */
export const storedStatus = { active: 0, inactive: 1, archived: 2 } as const satisfies Record<Status, number>;
