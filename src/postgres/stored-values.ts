import type { CreatorType, Status } from '../roster/api-key.ts';

/** The statuses as the table holds them. A new one also needs a migration: the table's CHECK allows only those that it knows. */
export const storedStatus = {
  active: 'active',
  inactive: 'inactive',
  archived: 'archived',
} as const satisfies Record<Status, string>;

/** The same of the types of creators. */
export const storedCreatorType = {
  user: 'user',
  service_account: 'service_account',
} as const satisfies Record<CreatorType, string>;
