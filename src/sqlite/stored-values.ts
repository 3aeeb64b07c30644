import type { Status } from '../roster/api-key.ts';

/**
 * The statuses as the table holds them. A number is never given to another status. A new status also needs a migration: the
 * table's CHECK allows only those that it knows.
 */
export const storedStatus = { active: 0, inactive: 1, archived: 2 } as const satisfies Record<Status, number>;
