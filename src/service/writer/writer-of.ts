import { timestampNow } from '../../shared/record/timestamp.ts';
import type { Vendor } from '../../shared/record/vendor.ts';
import { adminKeyRecord, newAdminKey } from '../roster/admin-key.ts';
import { AdminKeySecret } from '../roster/admin-key-secret.ts';
import { newOrganization, organizationRecord } from '../roster/organization.ts';
import type { IssuerStore } from '../roster/roster.ts';
import { countOutcomes } from '../roster/writes/put-outcome.ts';
import {
  parseAdminKeyId,
  parseIds,
  parseNewAdminKey,
  parseNewOrganization,
  parseNewStatus,
  parseOrganizationId,
  parseRecords,
  parseUses,
} from './arguments.ts';
import type { Writer } from './writer.ts';

/** Parses what the issuer gives, and lets the store do it. */
export function writerOf(store: IssuerStore, vendor: Vendor): Writer {
  return {
    put: async (organizationId, records) =>
      store.putApiKeys(parseOrganizationId(organizationId), parseRecords(records)),
    recordUses: async (organizationId, uses) => {
      const organization = parseOrganizationId(organizationId);
      const lines = parseUses(uses).map(key => ({ organizationId: organization, key }));
      const { updated, unchanged } = countOutcomes(await store.feedApiKeys(lines, true));
      return { updated, unchanged };
    },
    setStatus: async (organizationId, ids, status) =>
      store.setStatus(parseOrganizationId(organizationId), parseIds(ids), parseNewStatus(status)),
    createOrganization: async given => {
      const organization = { ...parseNewOrganization(given), createdAt: timestampNow() };
      await store.createOrganization(organization);
      return organizationRecord(newOrganization(organization));
    },
    createAdminKey: async (organizationId, given = {}) => {
      const createdAt = timestampNow();
      const parts = parseNewAdminKey(given, createdAt);
      const secret = AdminKeySecret.issue(vendor);
      const key = newAdminKey(secret, {
        ...parts,
        organizationId: parseOrganizationId(organizationId),
        createdAt,
      });
      await store.createAdminKey(key);
      return { ...adminKeyRecord(key), secret: secret.reveal() };
    },
    revokeAdminKey: async id =>
      adminKeyRecord(await store.revokeAdminKey(parseAdminKeyId(id), timestampNow())),
  };
}
