/**
 * The audit log: what operators did. A store records each act in the transaction of the act, so there is never one without the
 * other, and entries are never changed or deleted. An act that was refused, or that was a dry run, has no entry. One that was
 * carried out has, also when it changed nothing: its details say so. No entry holds a name, a secret or a hint.
 */

import { isObject } from '../../../shared/record/fields.ts';
import type { AdminKeyId, ApiKeyId, ImportId, OrganizationId } from '../../../shared/record/identifier.ts';
import { parsedJson } from '../../../shared/record/parsed-json.ts';
import { formatTimestamp, type Timestamp } from '../../../shared/record/timestamp.ts';
import type { Actor } from '../actor.ts';
import { walkPages } from '../walks.ts';

export const ACTIONS = [
  'migrate', // one entry for each step of the schema
  'create_organization',
  'create_admin_key',
  'update_admin_key', // by the copy of another store
  'revoke_admin_key', // with the time of an earlier revocation, where there was one
  'rotate_admin_key', // with the key that took its place, and when the old one ends
  'import',
  'set_status',
  'rename_organization',
  'disable_organization',
  'enable_organization',
  'delete_organization', // from now on it is gone for its admins
  'revert_import', // the subject is the import
  'add_field', // done to no organization
  'remove_field',
  'restore', // a copy was confirmed: it is served
] as const;

export type Action = (typeof ACTIONS)[number];

/** Counts, a status, what a declared field is, and times in RFC 3339. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>;

/** What was done, to which organization and to which key or import; `null` where it was done to none, or to several keys. */
export interface AuditedAct {
  readonly action: Action;
  readonly organizationId: OrganizationId | null;
  readonly subjectId: AdminKeyId | ApiKeyId | ImportId | null;
  readonly details: AuditDetails;
}

export interface AuditEntry extends AuditedAct {
  /** Counts up. A gap means nothing: an act that failed may leave one. */
  readonly number: number;
  readonly recordedAt: Timestamp;
  readonly actor: Actor;
  /** The role that PostgreSQL knows the actor by; `null` in the embedded store, which has no roles. */
  readonly databaseUser: string | null;
}

/**
 * The details of an entry as a store has them. An entry that was written past Keyroster may hold anything, and it stays. Then this
 * is the text itself, so that the entry and those after it can be listed.
 */
export function parseDetails(text: string): AuditDetails {
  const details = parsedJson(text);
  const isReadable = isObject(details) && Object.entries(details).every(isPlain);
  return isReadable ? (details as AuditDetails) : { unreadable: text };
}

function isPlain([name, value]: [string, unknown]): boolean {
  const plain = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
  return plain && /^[a-z_]+$/.test(name);
}

/** A time that no calendar has, which was written past Keyroster, is shown as its microseconds. */
export function timeOf({ recordedAt }: AuditEntry): string {
  try {
    return formatTimestamp(recordedAt);
  } catch {
    return String(recordedAt);
  }
}

/** Which entries to list: those that match all that is given. */
export interface AuditFilter {
  readonly organizationId?: OrganizationId | undefined;
  readonly action?: Action | undefined;
  readonly actor?: Actor | undefined;
  /** Inclusive. */
  readonly since?: Timestamp | undefined;
  /** Exclusive. */
  readonly until?: Timestamp | undefined;
}

interface AuditLog {
  listAuditEntries(filter: AuditFilter, after: number, limit: number): Promise<readonly AuditEntry[]>;
}

/** Lists all entries that match the filter, page by page, oldest first. */
export function walkAuditLog(roster: AuditLog, filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]> {
  return walkPages<AuditEntry>((after, limit) => roster.listAuditEntries(filter, after?.number ?? 0, limit));
}
