import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AdminKey, newAdminKey } from '../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../src/service/roster/admin-key-secret.ts';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { RosterWriter } from '../../src/service/roster/roster.ts';
import { START } from '../../src/service/roster/walks.ts';
import type {
  ImportLine,
  ImportOptions,
  ImportRefusal,
  ImportResult,
} from '../../src/service/roster/writes/imports.ts';
import type { ImportCounts } from '../../src/service/roster/writes/put-outcome.ts';
import { newId, type OrganizationId } from '../../src/shared/record/identifier.ts';
import { timestampOfDate } from '../../src/shared/record/timestamp.ts';
import { parseVendor, type Vendor } from '../../src/shared/record/vendor.ts';
import { storeAt } from './store-at.ts';
import type { StoreKind, TestStore } from './stores.ts';

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
  const key = newAdminKey(secret, { organizationId, scope: null, name: 'test', createdAt: now() });
  await roster.createAdminKey({ ...key, ...change });
  return secret.reveal();
}

/** Creates an organization with an admin key and these API keys in a store. */
export async function organizationIn(
  store: Pick<TestStore, 'openWriter'>,
  keys: readonly ApiKey[] = [],
  adminKey: Partial<AdminKey> = {},
): Promise<{ id: OrganizationId; secret: string }> {
  const writer = await store.openWriter();
  const created = await createOrganization(writer, adminKey);
  if (keys.length > 0) await importKeys(writer, created.id, keys);
  await writer.close();
  return created;
}

/** Imports keys of one organization as lines 1, 2, … and returns the counts and the refusals. */
export async function importKeys(
  roster: RosterWriter,
  organizationId: OrganizationId,
  keys: readonly ApiKey[],
  options: Omit<ImportOptions, 'onRefused'> = {},
): Promise<ImportCounts & { refusals: Omit<ImportRefusal, 'organizationId'>[] }> {
  const lines = keys.map((key, index) => ({ line: index + 1, organizationId, key }));
  const { importId, organizations, refusals, ...counts } = await importLines(roster, lines, options);
  return { ...counts, refusals: refusals.map(({ organizationId, ...refusal }) => refusal) };
}

export async function importLines(
  roster: RosterWriter,
  lines: readonly ImportLine[],
  options: Omit<ImportOptions, 'onRefused'> = {},
): Promise<ImportResult & { refusals: ImportRefusal[] }> {
  const refusals: ImportRefusal[] = [];
  async function* source() {
    yield lines;
  }
  const result = await roster.importApiKeys(source(), {
    ...options,
    onRefused: refusal => refusals.push(refusal),
  });
  return { ...result, refusals };
}

export const sqlite: StoreKind = { name: 'SQLite', create: createSqliteStore };

async function createSqliteStore(): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-test-'));
  const url = `sqlite:${join(folder, 'keyroster.db')}`;
  const store = storeAt(url);
  await store.migrate();
  return { ...store, url, remove: async () => rmSync(folder, { recursive: true }) };
}
