/** The service as a library (`import … from 'keyroster'`): to be mounted in an existing server. */

import type { StoreWriter, WriterOptions } from '../writer/open-writer.ts';
import type { Keyroster, KeyrosterOptions } from './keyroster.ts';

export type { ApiKeyRecord, CreatorRecord } from '../../shared/record/api-key-record.ts';
export { Refused, type RefusedFault } from '../../shared/record/faults.ts';
export type { Cursor, Direction, ListQuery } from '../../shared/record/list-query.ts';
export { partialKeyHint } from '../../shared/record/partial-key-hint.ts';
export type { AdminKeyRecord } from '../roster/admin-key.ts';
export { StoreBusy, StoreUnavailable } from '../roster/errors.ts';
export { type Page, type PageItem, pageItem, type RosterReader } from '../roster/pages/page.ts';
export type { IncomingRequest, OutgoingResponse } from '../server/messages.ts';
export type { StoreWriter, WriterOptions } from '../writer/open-writer.ts';
export type { NewAdminKey, PutRecord, Use, Writer } from '../writer/writer.ts';
export { type Transaction, type TransactionOptions, writerIn } from '../writer/writer-in.ts';
export {
  type Authenticate,
  type AuthenticatedCaller,
  AuthenticationUnavailable,
  type RequestToAuthenticate,
  type SecurityScheme,
} from './authenticate.ts';
export type { ClientContext, Keyroster, KeyrosterOptions, MetricsRegistry } from './keyroster.ts';

// A program has a service or is an issuer, in a store or in a transaction: each of these is loaded by who uses it.

/** Throws a `TypeError` that names the option and its rule, and `Refused` when the store can't be opened. */
export async function createKeyroster(options: KeyrosterOptions): Promise<Keyroster> {
  const { create } = await import('./create.ts');
  return create(options, await import('./ours.ts'));
}

/** Opens a store. Throws a `TypeError` that names the option and its rule, and `Refused` when the store can't be opened. */
export async function openWriter(options: WriterOptions): Promise<StoreWriter> {
  return (await import('../writer/open-writer.ts')).openWriter(options);
}
