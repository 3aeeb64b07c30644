/**
 * The audit log: what operators did. A store records each act in the transaction of the act, so there is never one without the
 * other, and entries are never changed or deleted. An act that was refused, or that was a dry run, has no entry. One that was
 * carried out has, also when it changed nothing: its details say so. No entry holds a name, a secret or a hint.
 */
import type { Actor } from './actor.ts';
import type { Status } from './api-key.ts';
import type { AdminKeyId, ApiKeyId, ImportId, OrganizationId } from './identifier.ts';
import type { Timestamp } from './timestamp.ts';
import { walkPages } from './walks.ts';

/**
 * What is recorded about each action, beyond what every entry has. Times are RFC 3339.
 */
interface AuditDetails {
  /** One entry for each step of the schema. */
  readonly migrate: { readonly schema_version: number };
  readonly create_organization: Readonly<Record<string, never>>;
  readonly create_admin_key: { readonly expires_at: string | null };
  /** By the copy of another store. */
  readonly update_admin_key: { readonly expires_at: string | null; readonly revoked_at: string | null };
  /** When the key was revoked, which is earlier when it was revoked before. */
  readonly revoke_admin_key: { readonly revoked_at: string | null };
  /** The key that took its place, and when the old one ends. */
  readonly rotate_admin_key: {
    readonly replaced_by: string;
    readonly old_expires_at: string | null;
    readonly expires_at: string | null;
  };
  readonly record_admin_key_use: {
    readonly updated: number;
    readonly unchanged: number;
    readonly unknown: number;
  };
  readonly import: {
    readonly inserted: number;
    readonly updated: number;
    readonly unchanged: number;
    readonly refused: number;
  };
  readonly set_status: { readonly status: Status; readonly changed: number; readonly unchanged: number };
  readonly rename_organization: Readonly<Record<string, never>>;
  readonly disable_organization: Readonly<Record<string, never>>;
  readonly enable_organization: Readonly<Record<string, never>>;
  /** From now on it is gone for its admins. */
  readonly delete_organization: Readonly<Record<string, never>>;
  /** The subject is the import. */
  readonly revert_import: { readonly deleted: number; readonly restored: number; readonly skipped: number };
  /** Done to no organization. */
  readonly add_field: { readonly name: string; readonly type: string };
  readonly remove_field: { readonly name: string };
}

export type Action = keyof AuditDetails;

export const ACTIONS = Object.keys({
  migrate: 0,
  create_organization: 0,
  create_admin_key: 0,
  update_admin_key: 0,
  revoke_admin_key: 0,
  rotate_admin_key: 0,
  record_admin_key_use: 0,
  import: 0,
  set_status: 0,
  rename_organization: 0,
  disable_organization: 0,
  enable_organization: 0,
  delete_organization: 0,
  revert_import: 0,
  add_field: 0,
  remove_field: 0,
} satisfies Record<Action, 0>) as readonly Action[];

/** What was done, to which organization and to which key or import; `null` where it was done to none, or to several keys. */
export type AuditedAct = {
  [A in Action]: {
    readonly action: A;
    readonly organizationId: OrganizationId | null;
    readonly subjectId: AdminKeyId | ApiKeyId | ImportId | null;
    readonly details: AuditDetails[A];
  };
}[Action];

export type AuditEntry = AuditedAct & {
  /** Counts up. A gap means nothing: an act that failed may leave one. */
  readonly number: number;
  readonly recordedAt: Timestamp;
  readonly actor: Actor;
  /** The role that PostgreSQL knows the actor by; `null` in the embedded store, which has no roles. */
  readonly databaseUser: string | null;
};

/**
 * The details of an entry as a store has them. An entry that was written past Keyroster may hold anything, and it stays. Then this
 * is the text itself, so that the entry and those after it can be listed.
 */
export function parseDetails(text: string): Readonly<Record<string, string | number | boolean | null>> {
  try {
    const details = JSON.parse(text);
    const isObject = typeof details === 'object' && details !== null && !Array.isArray(details);
    if (isObject && Object.entries(details).every(isPlain)) return details;
  } catch {}
  return { unreadable: text };
}

function isPlain([name, value]: [string, unknown]): boolean {
  const plain = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
  return plain && /^[a-z_]+$/.test(name);
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
