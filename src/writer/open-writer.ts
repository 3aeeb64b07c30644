/** What an issuer of API keys writes by, from its own program (docs/issuing.md). */
import { refuseUnknown, required } from '../options.ts';
import { issuerIn } from '../postgres/issuer-store.ts';
import type { Statements } from '../postgres/statements.ts';
import { ACTOR_RULE, type Actor, parseActor } from '../roster/actor.ts';
import { parseVendor, VENDOR_RULE, type Vendor } from '../roster/vendor.ts';
import { parseStore, STORE_RULE } from '../stores.ts';
import { systemUser } from '../system-user.ts';
import type { Writer } from './writer.ts';
import { writerOf } from './writer-of.ts';

export interface StoreWriter extends Writer {
  /** Closes the store. */
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
  refuseUnknown(options, STORE_OPTIONS);
  const { actor, vendor } = settingsOf(options);
  const store = required('database', parseStore(options.database), STORE_RULE);
  const roster = await store.openWriter(actor);
  return { ...writerOf(roster, vendor), close: () => roster.close() };
}

/** A transaction of PostgreSQL that has begun: a `pg` client, or what runs a statement in a transaction of another library. */
export type Transaction = Statements;

/**
 * Writes in the caller's own transaction, which it neither begins nor ends: API keys and the caller's own rows are committed
 * together, or not at all. What is refused is undone, and the transaction can go on. Throws a `TypeError` as `openWriter` does.
 */
export function writerIn(transaction: Transaction, options: TransactionOptions = {}): Writer {
  refuseUnknown(options, TRANSACTION_OPTIONS);
  const { actor, vendor } = settingsOf(options);
  const query = typeof transaction?.query === 'function' ? transaction : undefined;
  return writerOf(issuerIn(required('transaction', query, 'must have a function query'), actor), vendor);
}

const shared = { actor: true, vendor: true } satisfies Record<keyof TransactionOptions, true>;
const TRANSACTION_OPTIONS = Object.keys(shared);
const STORE_OPTIONS = Object.keys({ database: true, ...shared } satisfies Record<keyof WriterOptions, true>);

function settingsOf({ actor, vendor = 'vendor' }: TransactionOptions): { actor: Actor; vendor: Vendor } {
  return {
    actor: actor === undefined ? systemUser() : required('actor', parseActor(actor), ACTOR_RULE),
    vendor: required('vendor', parseVendor(vendor), VENDOR_RULE),
  };
}
