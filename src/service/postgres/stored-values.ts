import type { CreatorType } from '../../shared/record/api-key-record.ts';
import type { Status } from '../../shared/record/status.ts';

/** The stored value of each status. A new status also needs a migration, because the table has a CHECK that lists the values. */
export const storedStatus = {
  active: 'active',
  inactive: 'inactive',
  archived: 'archived',
} as const satisfies Record<Status, string>;

/** The stored value of each creator type. */
export const storedCreatorType = {
  user: 'user',
  service_account: 'service_account',
} as const satisfies Record<CreatorType, string>;
