/** What an issuer of API keys writes by, from its own program (docs/issuing.md). */

import { timestampOfDate } from '../../shared/record/timestamp.ts';
import { DEFAULT_VENDOR, parseVendor, VENDOR_RULE, type Vendor } from '../../shared/record/vendor.ts';
import { type OptionRule, objectWith, parseOptions, required } from '../options.ts';
import { issuerIn } from '../postgres/issuer-store.ts';
import type { Statements } from '../postgres/statements.ts';
import { ACTOR_RULE, parseActor } from '../roster/actor.ts';
import { adminKeyRecord, newAdminKey } from '../roster/admin-key.ts';
import { AdminKeySecret } from '../roster/admin-key-secret.ts';
import { newOrganization, organizationRecord } from '../roster/organization.ts';
import { countOutcomes } from '../roster/put-outcome.ts';
import type { IssuerStore } from '../roster/roster.ts';
import { parseStore, STORE_RULE } from '../stores.ts';
import { systemUser } from '../system-user.ts';
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

export interface StoreWriter extends Writer {
  /** Waits for every call before it, then closes the store. Calls after it are refused, and another close does nothing. */
  close(): Promise<void>;
}

export interface TransactionOptions {
  /** Who writes, for the audit log. Default: the user that the process runs as. */
  readonly actor?: string | undefined;
  /** The service maker: prefix of new admin keys. Default: `vendor`. */
  readonly vendor?: string | undefined;
}

export interface WriterOptions extends TransactionOptions {
  /** The store: `sqlite:FILE` or `postgres://…`, made by `keyroster migrate`. */
  readonly database: string;
}

/** Opens a store. Throws a `TypeError` that names the option and its rule, and `Refused` when the store can't be opened. */
export async function openWriter(options: WriterOptions): Promise<StoreWriter> {
  const { database, actor = systemUser(), vendor } = parseOptions(options, storeRules);
  const roster = await required('database', database, storeRules.database).openWriter(actor);
  return { ...writerOf(roster, vendor), close: () => roster.close() };
}

/** A transaction of PostgreSQL that has begun: a `pg` client, or what runs a statement in a transaction of another library. */
export type Transaction = Statements;

/**
 * Writes in the caller's own transaction, which it neither begins nor ends: API keys and the caller's own rows are committed
 * together, or not at all. What is refused is undone, and the transaction can go on. Throws a `TypeError` as `openWriter` does.
 */
export function writerIn(transaction: Transaction, options: TransactionOptions = {}): Writer {
  const { actor = systemUser(), vendor } = parseOptions(options, transactionRules);
  const rule = objectWith<Transaction>('query');
  return writerOf(issuerIn(required('transaction', rule.parse(transaction), rule), actor), vendor);
}

const transactionRules = {
  actor: { parse: parseActor, rule: ACTOR_RULE },
  vendor: { parse: parseVendor, rule: VENDOR_RULE, byDefault: DEFAULT_VENDOR },
} satisfies Record<keyof TransactionOptions, OptionRule<unknown>>;

const storeRules = {
  database: { parse: parseStore, rule: STORE_RULE },
  ...transactionRules,
} satisfies Record<keyof WriterOptions, OptionRule<unknown>>;

/** Parses what the issuer gives, and lets the store do it. */
function writerOf(store: IssuerStore, vendor: Vendor): Writer {
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
      const organization = { ...parseNewOrganization(given), createdAt: now() };
      await store.createOrganization(organization);
      return organizationRecord(newOrganization(organization));
    },
    createAdminKey: async (organizationId, given = {}) => {
      const createdAt = now();
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
    revokeAdminKey: async id => adminKeyRecord(await store.revokeAdminKey(parseAdminKeyId(id), now())),
  };
}

const now = () => timestampOfDate(new Date());
