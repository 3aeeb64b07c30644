/** What an issuer of API keys writes by, from its own program (docs/issuing.md). */

import { type OptionRule, parseOptions, required } from '../options.ts';
import { parseStore, STORE_RULE } from '../stores.ts';
import { systemUser } from '../system-user.ts';
import type { Writer } from './writer.ts';
import { type TransactionOptions, transactionRules } from './writer-in.ts';
import { writerOf } from './writer-of.ts';

export interface StoreWriter extends Writer {
  /** Waits for every call before it, then closes the store. Calls after it are refused, and another close does nothing. */
  close(): Promise<void>;
}

export interface WriterOptions extends TransactionOptions {
  /** The store: `sqlite:FILE` or `postgres://…`, made by `keyroster migrate`. */
  readonly database: string;
}

export async function openWriter(options: WriterOptions): Promise<StoreWriter> {
  const { database, actor = systemUser(), vendor } = parseOptions(options, storeRules);
  const roster = await required('database', database, storeRules.database).openWriter(actor);
  return { ...writerOf(roster, vendor), close: () => roster.close() };
}

const storeRules = {
  database: { parse: parseStore, rule: STORE_RULE },
  ...transactionRules,
} satisfies Record<keyof WriterOptions, OptionRule<unknown>>;
