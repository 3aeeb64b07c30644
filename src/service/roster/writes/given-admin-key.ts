import { isDeepStrictEqual } from 'node:util';
import { type Fault, Refused } from '../../../shared/record/faults.ts';
import type { Fields } from '../../../shared/record/fields.ts';
import { OWNER_ID_RULE, parseOwnerId, type WorkspaceId } from '../../../shared/record/identifier.ts';
import { DISPLAY_NAME_RULE, parseDisplayName } from '../../../shared/record/name.ts';
import { parseTimestamp, TIMESTAMP_RULE, type Timestamp } from '../../../shared/record/timestamp.ts';
import { type AdminKey, EXPIRY_RULE, futureExpiry, workspaceOf } from '../admin-key.ts';
import { NETWORK_LIST_RULE, parseAdminKeyNetworkList } from '../network.ts';

export const ADMIN_KEY_FIELDS = ['name', 'expires_at', 'networks', 'workspace_id'] as const;

const WORKSPACE_RULE = `${OWNER_ID_RULE}, or left out for the whole organization: the default workspace has no ID`;

/** All of it but the organization. A workspace that is `undefined` or `null` is a fault, as it would be no scope. */
export function readAdminKey(fields: Fields, faults: Fault[], now: Timestamp) {
  const expiresAt = fields.readOr('expires_at', orNull(parseTimestamp), TIMESTAMP_RULE, null);
  if (typeof expiresAt === 'bigint' && futureExpiry(expiresAt, now) === undefined)
    faults.push({ field: 'expires_at', problem: EXPIRY_RULE });
  return {
    name: fields.readOr('name', parseDisplayName, DISPLAY_NAME_RULE, 'admin key'),
    expiresAt,
    networks: fields.readOr('networks', orNull(parseAdminKeyNetworkList), NETWORK_LIST_RULE, null),
    scope: fields.has('workspace_id') ? fields.read('workspace_id', parseScope, WORKSPACE_RULE) : null,
  };
}

function parseScope(text: unknown): AdminKey['scope'] | undefined {
  const workspaceId = parseOwnerId<WorkspaceId>(text);
  return workspaceId && { workspaceId };
}

const orNull =
  <T>(parse: (value: unknown) => T | undefined) =>
  (value: unknown): T | null | undefined =>
    value === null ? null : parse(value);

/** What was done with admin keys that come from another store, with their digests. The others were so already. */
export interface AdminKeyCopies {
  readonly created: readonly AdminKey[];
  readonly updated: readonly AdminKey[];
}

/**
 * What copies do to a store that has these of the same IDs. Nothing that has ended begins again: a key keeps its revocation, and
 * the earlier of two ends. Throws `Refused` for another key of the same ID.
 */
export function copiesOf(copies: readonly AdminKey[], stored: ReadonlyMap<string, AdminKey>): AdminKeyCopies {
  const created = copies.filter(({ id }) => !stored.has(id));
  const updated = copies.flatMap(copy => {
    const before = stored.get(copy.id);
    const after = before && brought(before, copy);
    return after && !isSame(before, after) ? [after] : [];
  });
  return { created, updated };
}

function brought(stored: AdminKey, copy: AdminKey): AdminKey {
  const isOther =
    Buffer.compare(stored.digest, copy.digest) !== 0 ||
    stored.organizationId !== copy.organizationId ||
    workspaceOf(stored) !== workspaceOf(copy);
  if (isOther) throw new Refused(`admin key ${copy.id}: there is another one with this ID`);
  return {
    ...stored,
    expiresAt: earlier(stored.expiresAt, copy.expiresAt),
    revokedAt: stored.revokedAt ?? copy.revokedAt,
    replacedBy: copy.replacedBy ?? stored.replacedBy,
  };
}

function earlier<Time extends bigint>(one: Time | null, other: Time | null): Time | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

export function isSame(one: AdminKey, other: AdminKey): boolean {
  return isDeepStrictEqual(comparable(one), comparable(other));
}

/** A digest is a `Buffer` of one store, and a plain array of bytes of the other. */
function comparable(key: AdminKey) {
  return { ...key, digest: Buffer.from(key.digest) };
}
