/** What an issuer of API keys writes by, from its own program (docs/issuing.md). */
import { type OptionRule, objectWith, type ParsedOptions, parseOptions, required } from '../options.ts';
import { issuerIn } from '../postgres/issuer-store.ts';
import type { Statements } from '../postgres/statements.ts';
import { ACTOR_RULE, type Actor, parseActor } from '../roster/actor.ts';
import { DEFAULT_VENDOR, parseVendor, VENDOR_RULE, type Vendor } from '../roster/vendor.ts';
import { parseStore, STORE_RULE } from '../stores.ts';
import { systemUser } from '../system-user.ts';
import type { Writer } from './writer.ts';
import { writerOf } from './writer-of.ts';

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
  const { database, ...others } = parseOptions(options, storeRules);
  const { actor, vendor } = settingsOf(others);
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
  const { actor, vendor } = settingsOf(parseOptions(options, transactionRules));
  const rule = objectWith<Transaction>('query');
  return writerOf(issuerIn(required('transaction', rule.parse(transaction), rule), actor), vendor);
}

const transactionRules = {
  actor: { parse: parseActor, rule: ACTOR_RULE },
  vendor: { parse: parseVendor, rule: VENDOR_RULE },
} satisfies Record<keyof TransactionOptions, OptionRule<unknown>>;

const storeRules = {
  database: { parse: parseStore, rule: STORE_RULE },
  ...transactionRules,
} satisfies Record<keyof WriterOptions, OptionRule<unknown>>;

function settingsOf({ actor, vendor }: ParsedOptions<typeof transactionRules>): {
  actor: Actor;
  vendor: Vendor;
} {
  return { actor: actor ?? systemUser(), vendor: vendor ?? DEFAULT_VENDOR };
}
