import { newAdminKey } from '../../src/roster/admin-key.ts';
import { AdminKeySecret } from '../../src/roster/admin-key-secret.ts';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import type { RosterWriter } from '../../src/roster/roster.ts';
import { timestampOfDate } from '../../src/roster/timestamp.ts';
import { parseVendor, type Vendor } from '../../src/roster/vendor.ts';
import { migrate } from '../../src/sqlite/migrate.ts';
import { openWriter } from '../../src/sqlite/store.ts';

export const ORGANIZATION = 'org_bench' as OrganizationId;

/** Makes an embedded store with one organization that has no API keys yet. Returns an admin key of it. */
export function createStore(file: string): Promise<string> {
  migrate(file);
  return createRoster(openWriter(file));
}

/** One organization without API keys in a new store, which is closed then. Returns an admin key, as a caller sends it. */
export async function createRoster(roster: RosterWriter): Promise<string> {
  const createdAt = timestampOfDate(new Date());
  await roster.createOrganization({ id: ORGANIZATION, name: 'Bench', createdAt });
  const secret = AdminKeySecret.issue(parseVendor('vendor') as Vendor);
  await roster.createAdminKey(
    newAdminKey(secret, { organizationId: ORGANIZATION, name: 'bench', createdAt }),
  );
  await roster.close();
  return secret.reveal();
}
