import type { Actor } from '../../src/service/roster/actor.ts';
import { newAdminKey } from '../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../src/service/roster/admin-key-secret.ts';
import type { RosterWriter } from '../../src/service/roster/roster.ts';
import { migrate } from '../../src/service/sqlite/migrations/migrate.ts';
import { openWriter } from '../../src/service/sqlite/store.ts';
import type { OrganizationId } from '../../src/shared/record/identifier.ts';
import { timestampNow } from '../../src/shared/record/timestamp.ts';
import { parseVendor, type Vendor } from '../../src/shared/record/vendor.ts';

export const BENCH = 'bench' as Actor;
export const ORGANIZATION = 'org_bench' as OrganizationId;

/** A SQLite store with API keys. */
export interface SqliteStore {
  readonly file: string;
  /** The secret of an admin key of its organization. */
  readonly secret: string;
}

/** Makes a SQLite store with one organization and no API keys. Returns the secret of an admin key. */
export async function createStore(file: string): Promise<string> {
  await migrate(file, BENCH);
  return createRoster(openWriter(file, BENCH));
}

/** Adds the organization to a new store and closes it. Returns the secret of an admin key. */
export async function createRoster(roster: RosterWriter): Promise<string> {
  const createdAt = timestampNow();
  await roster.createOrganization({ id: ORGANIZATION, name: 'Bench', createdAt });
  const secret = AdminKeySecret.issue(parseVendor('vendor') as Vendor);
  await roster.createAdminKey(
    newAdminKey(secret, { organizationId: ORGANIZATION, scope: null, name: 'bench', createdAt }),
  );
  await roster.close();
  return secret.reveal();
}
