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

import type { Duration } from '../../shared/record/duration.ts';
import type { AdminKeyId, ApiKeyId, ImportId, OrganizationId } from '../../shared/record/identifier.ts';
import type { Status } from '../../shared/record/status.ts';
import type { Timestamp } from '../../shared/record/timestamp.ts';
import type { AdminKey, RotatedAdminKey, Rotation } from './admin-key.ts';
import type { DeclaredField } from './declared-fields.ts';
import type { DeletionStep, Organization, OrganizationContents, StoredOrganization } from './organization.ts';
import type { StoreReader } from './pages/reader.ts';
import type { CreationPosition } from './walks.ts';
import type { AuditEntry, AuditFilter } from './writes/audit-log.ts';
import type { AdminKeyCopies } from './writes/given-admin-key.ts';
import type {
  ImportEntry,
  ImportLine,
  ImportOptions,
  ImportResult,
  OrganizationRevert,
  RevertOptions,
} from './writes/imports.ts';
import type { FeedLine } from './writes/key-use.ts';
import type { NewField } from './writes/new-field.ts';
import type { KeysToPut, PutCounts, PutOutcome, StatusCounts } from './writes/put-outcome.ts';

/**
 * What the operator's commands use, to read and to write. A method whose comment says "refuses" throws `Refused` and
 * changes nothing. It is opened for an actor: what a method changes and its entry in the audit log are one transaction.
 */
export interface RosterWriter extends StoreReader {
  /** Refuses an ID that exists. */
  createOrganization(organization: Organization): Promise<void>;
  /** Those behind this position, oldest first, at most `limit`. See `walkByCreation`. */
  listOrganizations(after: CreationPosition, limit: number): Promise<readonly StoredOrganization[]>;
  /** Refuses an unknown ID. */
  findOrganization(id: OrganizationId): Promise<StoredOrganization>;
  /** Refuses an unknown organization, and one that is being deleted. So do the next two. */
  renameOrganization(id: OrganizationId, name: string): Promise<StoredOrganization>;
  /** From now on its admin keys are as unknown ones. One that is disabled already keeps its time. */
  disableOrganization(id: OrganizationId, at: Timestamp): Promise<StoredOrganization>;
  enableOrganization(id: OrganizationId): Promise<StoredOrganization>;
  /** What goes with the organization when it is deleted. Refuses an unknown organization. */
  findContents(id: OrganizationId): Promise<OrganizationContents>;
  /**
   * Does the next step of a deletion: see `deleteOrganization`, which does all. Each is a short transaction. The first marks the
   * organization as disabled and being deleted, for good. Each of the others deletes some rows, and the last the organization.
   * Refuses an unknown organization.
   */
  deleteNext(id: OrganizationId, at: Timestamp, after: ApiKeyId | null): Promise<DeletionStep>;

  /** Refuses an unknown organization. */
  createAdminKey(key: AdminKey): Promise<void>;
  /** Makes these of another store as they are, or brings them up to date: see `copiesOf`. Refuses an unknown organization. */
  copyAdminKeys(keys: readonly AdminKey[]): Promise<AdminKeyCopies>;
  /** The keys of one organization, or of all (`null`), listed as organizations are. Refuses an unknown organization. */
  listAdminKeys(
    organization: OrganizationId | null,
    after: CreationPosition,
    limit: number,
  ): Promise<readonly AdminKey[]>;
  /** Refuses an unknown ID. A key that is revoked already keeps its time of revocation. */
  revokeAdminKey(id: AdminKeyId, at: Timestamp): Promise<AdminKey>;
  /**
   * Makes another key of the same organization, name, networks and lifetime, and ends this one after the overlap. Refuses an
   * unknown ID, and a key that is revoked, expired or rotated already (see `rotated`).
   */
  rotateAdminKey(id: AdminKeyId, rotation: Rotation, overlap: Duration): Promise<RotatedAdminKey>;

  /**
   * Inserts new keys and updates name, status, workspace and hint of existing ones, of any number of organizations, in one
   * transaction. A line is refused when it has faults, when its organization is unknown, when an earlier line of that one has its
   * ID, when its creation time or creator differs from what is stored, or when it would change the status of an archived key. When
   * the source throws, nothing is imported. When a line is refused, nothing is imported either, unless `skipRefused` is set.
   */
  importApiKeys(source: AsyncIterable<readonly ImportLine[]>, options: ImportOptions): Promise<ImportResult>;

  /** What was imported, to an organization or to all (`null`), after this entry, oldest first, at most `limit`. See `walkPages`. */
  listImports(
    organization: OrganizationId | null,
    after: ImportEntry | null,
    limit: number,
  ): Promise<readonly ImportEntry[]>;

  /**
   * Takes an import back, in all its organizations: deletes the keys that it inserted, and gives those whose status it changed the
   * one before, archived ones too. Other fields stay. Refuses an unknown import, one that was taken back already, and, unless
   * `skipChanged` is set, one where something else changed an inserted key or a status since.
   */
  revertImport(id: ImportId, options: RevertOptions): Promise<readonly OrganizationRevert[]>;

  /**
   * Inserts these keys, or updates name, status, workspace, hint and declared fields of those that exist, all of them or none. No two have the same
   * ID. Refuses what an import refuses, with a fault for each field, and an unknown organization.
   */
  putApiKeys(organization: OrganizationId, keys: KeysToPut): Promise<PutCounts>;

  /**
   * Puts keys of any organizations in one transaction, each as if it were put by itself after the one before, and records uses of
   * keys. Returns the outcome of each. Those of an unknown organization are refused, and with `orNone` all are then.
   */
  feedApiKeys(lines: readonly FeedLine[], orNone?: boolean): Promise<readonly PutOutcome[]>;

  /** Changes the status of all these keys, or of none. Refuses an unknown key, and another status for an archived one. */
  setStatus(organization: OrganizationId, ids: readonly ApiKeyId[], status: Status): Promise<StatusCounts>;

  /** Refuses a name that is taken, and more than `MAX_FIELDS`. Writes no API key. */
  addField(field: NewField): Promise<DeclaredField>;
  /** For good: another field of this name has none of its values. Refuses an unknown name. */
  removeField(name: string): Promise<DeclaredField>;

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
