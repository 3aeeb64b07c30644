import { type AdminKey, newAdminKey } from '../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../src/service/roster/admin-key-secret.ts';
import { EMPTY_PAGE } from '../../src/service/roster/joined-page.ts';
import type { StoreReader } from '../../src/service/roster/roster.ts';
import { newId, type OrganizationId } from '../../src/shared/record/identifier.ts';
import { now, VENDOR } from './roster.ts';

/** A roster with one admin key and no API keys, for tests in which the store doesn't matter. */
export function stubReader(
  methods: Partial<StoreReader> = {},
  fields: Partial<AdminKey> = {},
): { reader: StoreReader; secret: string; organization: OrganizationId } {
  const secret = AdminKeySecret.issue(VENDOR);
  const organization = newId<OrganizationId>('org');
  const key: AdminKey = {
    ...newAdminKey(secret, { organizationId: organization, scope: null, name: 'test', createdAt: now() }),
    ...fields,
  };
  const reader: StoreReader = {
    listApiKeys: async () => EMPTY_PAGE,
    findAdminKey: async digest => (Buffer.compare(digest, key.digest) === 0 ? key : null),
    checkReadiness: async () => [],
    listFields: async () => [],
    close: async () => {},
    ...methods,
  };
  return { reader, secret: secret.reveal(), organization };
}
