/**
 * The interface to a store. A store keeps every organization's roster: its API keys, and the admin keys that may
 * list them. What every store promises, whatever it is made of:
 *
 * - One order: newest first, by `createdAt`, then by `id`, both descending, IDs compared as bytes.
 * - A key's ID, creation time and creator never change, and keys are never deleted. So a cursor stays valid for
 *   ever, and a walk misses and repeats nothing while keys are added, renamed and archived under it.
 * - A page costs the same at any depth and under any filter: one look-up of the cursor, one index range.
 * - What one organization sees depends on its own keys only.
 *
 * The service holds a `RosterReader` and so can't write; the operator's commands hold a `RosterWriter`.
 */
import type { AdminKey } from './admin-key.ts';
import type { ApiKey, Status } from './api-key.ts';
import type { Fault } from './errors.ts';
import type { AdminKeyId, ApiKeyId, OrganizationId } from './identifier.ts';
import type { ListQuery } from './list-query.ts';
import type { Organization } from './organization.ts';
import type { Page } from './page.ts';
import type { Timestamp } from './timestamp.ts';

export interface RosterReader {
  /**
   * The page that the query names, or `null` when its cursor is no API key of this organization. The organization is
   * one that an admin key was found for, or that `findOrganization` gave. Throws `StoreUnavailable`, and `StoreBusy`.
   */
  listApiKeys(organization: OrganizationId, query: ListQuery): Promise<Page | null>;

  /**
   * The admin key with this digest (SHA-256, 32 bytes) that is valid at this moment. A revoked and an expired one are
   * sorted out where an unknown one isn't found, so that the time doesn't tell which it was. Throws `StoreUnavailable`, and
   * `StoreBusy`.
   */
  findAdminKey(digest: Uint8Array, at: Timestamp): Promise<AdminKey | null>;

  /** Throws `StoreUnavailable` when the store can't be read, or hasn't this release's schema. */
  checkReadiness(): Promise<void>;

  close(): Promise<void>;
}

/**
 * The operator's half, which also reads. Every method throws `Refused` where its comment says "refuses", and then
 * has changed nothing.
 */
export interface RosterWriter extends RosterReader {
  /** Refuses an ID that is taken. */
  createOrganization(organization: Organization): Promise<void>;
  /** Oldest first. */
  listOrganizations(): Promise<readonly Organization[]>;
  /** Refuses an unknown ID. */
  findOrganization(id: OrganizationId): Promise<Organization>;

  /** Refuses an unknown organization. */
  createAdminKey(key: AdminKey): Promise<void>;
  /** Oldest first; of one organization, or of all. Refuses an unknown organization. */
  listAdminKeys(organization: OrganizationId | null): Promise<readonly AdminKey[]>;
  /** Refuses an unknown ID. Revoking again keeps the first moment. */
  revokeAdminKey(id: AdminKeyId, at: Timestamp): Promise<AdminKey>;

  /**
   * Inserts new keys and updates name, status, workspace and hint of known ones, in one transaction. A line is
   * refused when it has faults, when its ID stands on an earlier line, when its creation differs from what is
   * stored, or when it would leave `archived`. With a refused line, or when the source throws, nothing is
   * imported, unless the options say otherwise. Refuses an unknown organization.
   */
  importApiKeys(
    organization: OrganizationId,
    source: AsyncIterable<readonly ImportLine[]>,
    options: ImportOptions,
  ): Promise<ImportCounts>;

  /** Gives keys a status: all of them, or none. Refuses an unknown key, and one that would leave `archived`. */
  setStatus(organization: OrganizationId, ids: readonly ApiKeyId[], status: Status): Promise<StatusCounts>;
}

/** A line of an import's source, from 1: the key it holds, or why it holds none and what stands there. */
export type ImportLine = { readonly line: number } & (
  | { readonly key: ApiKey }
  | { readonly faults: readonly Fault[]; readonly source: string }
);

export interface ImportOptions {
  /** Told of every refused line, before the import ends. */
  readonly refuse: (refusal: ImportRefusal) => void;
  /** Import the other lines although some are refused. */
  readonly withoutRefused?: boolean;
  /** Find out what an import would do, and change nothing. */
  readonly dryRun?: boolean;
  /** Told now and then how many keys are written, of how many. */
  readonly progress?: (written: number, of: number) => void;
}

export interface ImportRefusal {
  readonly line: number;
  /** At least one. */
  readonly faults: readonly Fault[];
  /** The line as it stands in the source, or, where only the store could refuse it, its record. */
  readonly source: string;
}

/** How many lines went which way. */
export interface ImportCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
}

export interface StatusCounts {
  readonly changed: number;
  readonly unchanged: number;
}
