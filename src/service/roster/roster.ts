/**
 * The interface to our stores. A store keeps every organization's roster, and the admin keys that may list it. Pages are as
 * `RosterReader` says. Besides, in a store of ours:
 *
 * - A key's ID, creation time and creator never change, and an issuer never deletes one. So a cursor stays valid, and a walk
 *   misses and repeats nothing while keys are added, renamed and archived. Only an operator deletes: an organization with all
 *   its keys, or the keys of an import that is reverted. A cursor at one of them is unknown then.
 * - A page costs the same at any depth and with any filter: one lookup of the cursor, then one index range for each
 *   status at most.
 *
 * The service has only a `StoreReader`, so it can't write. The operator's commands have a `RosterWriter`.
 */

import type { StoreReader } from './pages/reader.ts';
import type { AdminKeyWriter } from './writes/admin-key-writer.ts';
import type { AuditEntry, AuditFilter } from './writes/audit-log.ts';
import type { ImportWriter } from './writes/import-writer.ts';
import type { KeyWriter } from './writes/key-writer.ts';
import type { FieldWriter } from './writes/new-field.ts';
import type { OrganizationWriter } from './writes/organization-writer.ts';

/**
 * What the operator's commands use, to read and to write. A method whose comment says "refuses" throws `Refused` and
 * changes nothing. It is opened for an actor: what a method changes and its entry in the audit log are one transaction.
 */
export interface RosterWriter
  extends StoreReader,
    OrganizationWriter,
    AdminKeyWriter,
    ImportWriter,
    KeyWriter,
    FieldWriter {
  /**
   * Runs the work over the store as it is at one moment, whatever others commit meanwhile. Over Citus each shard has a moment of its
   * own, and a standby may refuse to go on.
   */
  readSnapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T>;

  /** A copy that a backup or a dump made is served from now on: what ended since it was made was looked at. */
  confirmRestore(): Promise<void>;

  /** Entries of the audit log with a number greater than `after`, oldest first, at most `limit`. See `walkAuditLog`. */
  listAuditEntries(filter: AuditFilter, after: number, limit: number): Promise<readonly AuditEntry[]>;
}

/** What an export reads. */
export type Snapshot = Pick<
  RosterWriter,
  'listApiKeys' | 'listFields' | 'listOrganizations' | 'findOrganization' | 'listAdminKeys'
>;

/** The methods that change something. The others are named for what they only read. */
export type WritingMethod = Exclude<
  keyof RosterWriter,
  keyof StoreReader | `list${string}` | `find${string}` | `read${string}`
>;

/** What the operator's commands that only read use. */
export type OperatorReader = Omit<RosterWriter, WritingMethod>;

/** What an issuer does: few keys at once, and the organizations and admin keys of new customers. */
export type IssuerStore = Pick<
  RosterWriter,
  'createOrganization' | 'createAdminKey' | 'revokeAdminKey' | 'putApiKeys' | 'feedApiKeys' | 'setStatus'
>;
