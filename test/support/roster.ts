import { type AdminKey, newAdminKey } from '../../src/roster/admin-key.ts';
import { AdminKeySecret } from '../../src/roster/admin-key-secret.ts';
import type { ApiKey } from '../../src/roster/api-key.ts';
import type { ImportCounts } from '../../src/roster/counts.ts';
import { newId, type OrganizationId } from '../../src/roster/identifier.ts';
import type { ImportOptions, ImportRefusal, RosterWriter } from '../../src/roster/roster.ts';
import { timestampOfDate } from '../../src/roster/timestamp.ts';
import { parseVendor, type Vendor } from '../../src/roster/vendor.ts';
import { START } from '../../src/roster/walk-by-creation.ts';

export const VENDOR = parseVendor('vendor') as Vendor;

/** More than any test has of organizations and admin keys. */
export const ALL = [START, 10_000] as const;

export const now = () => timestampOfDate(new Date());

/** Creates an organization with an admin key. Returns its ID and the key's secret. */
export async function createOrganization(
  roster: RosterWriter,
  key: Partial<AdminKey> = {},
): Promise<{ id: OrganizationId; secret: string }> {
  const id = newId<OrganizationId>('org');
  await roster.createOrganization({ id, name: 'Test', createdAt: now() });
  return { id, secret: await createAdminKey(roster, id, key) };
}

export async function createAdminKey(
  roster: RosterWriter,
  organizationId: OrganizationId,
  change: Partial<AdminKey> = {},
): Promise<string> {
  const secret = AdminKeySecret.issue(VENDOR);
  const key = newAdminKey(secret, { organizationId, name: 'test', createdAt: now() });
  await roster.createAdminKey({ ...key, ...change });
  return secret.reveal();
}

/** Imports keys as lines 1, 2, … and returns the counts and the refusals. */
export async function importKeys(
  roster: RosterWriter,
  organization: OrganizationId,
  keys: readonly ApiKey[],
  options: Omit<ImportOptions, 'onRefused'> = {},
): Promise<ImportCounts & { refusals: ImportRefusal[] }> {
  const refusals: ImportRefusal[] = [];
  async function* source() {
    yield keys.map((key, index) => ({ line: index + 1, key }));
  }
  const counts = await roster.importApiKeys(organization, source(), {
    ...options,
    onRefused: refusal => refusals.push(refusal),
  });
  return { ...counts, refusals };
}
