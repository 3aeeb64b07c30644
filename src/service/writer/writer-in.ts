import { taken } from '../../shared/record/fields.ts';
import { DEFAULT_VENDOR, parseVendor, VENDOR_RULE } from '../../shared/record/vendor.ts';
import { type OptionRule, objectWith, parseOptions, required } from '../options.ts';
import type { Statements } from '../postgres/statements.ts';
import { ACTOR_RULE, parseActor } from '../roster/actor.ts';
import { systemUser } from '../system-user.ts';
import type { Writer } from './writer.ts';

export interface TransactionOptions {
  /** Who writes, for the audit log. Default: the user that the process runs as. */
  readonly actor?: string | undefined;
  /** The service maker: prefix of new admin keys. Default: `vendor`. */
  readonly vendor?: string | undefined;
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
  const statements = required('transaction', rule.parse(transaction), rule);
  let loading: Promise<Writer> | undefined;
  const writer = () => {
    loading ??= Promise.all([import('../postgres/writes/issuer-store.ts'), import('./writer-of.ts')]).then(
      ([{ issuerIn }, { writerOf }]) => writerOf(issuerIn(statements, actor), vendor),
    );
    return loading;
  };
  const call = async <Args, Result>(given: Args, method: (writer: Writer, args: Args) => Promise<Result>) => {
    const args = taken(given) as Args;
    return method(await writer(), args);
  };
  return {
    put: (...args) => call(args, (to, given) => to.put(...given)),
    recordUses: (...args) => call(args, (to, given) => to.recordUses(...given)),
    setStatus: (...args) => call(args, (to, given) => to.setStatus(...given)),
    createOrganization: (...args) => call(args, (to, given) => to.createOrganization(...given)),
    createAdminKey: (...args) => call(args, (to, given) => to.createAdminKey(...given)),
    revokeAdminKey: (...args) => call(args, (to, given) => to.revokeAdminKey(...given)),
  };
}

export const transactionRules = {
  actor: { parse: parseActor, rule: ACTOR_RULE },
  vendor: { parse: parseVendor, rule: VENDOR_RULE, byDefault: DEFAULT_VENDOR },
} satisfies Record<keyof TransactionOptions, OptionRule<unknown>>;
