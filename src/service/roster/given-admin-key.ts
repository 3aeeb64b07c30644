import { isDeepStrictEqual } from 'node:util';
import { type Fault, type Faulty, type Line, Refused, type RefusedLine } from '../../shared/record/faults.ts';
import type { Fields } from '../../shared/record/fields.ts';
import { ID_RULE, type OrganizationId, parseId, type WorkspaceId } from '../../shared/record/identifier.ts';
import { DISPLAY_NAME_RULE, parseDisplayName } from '../../shared/record/name.ts';
import { parseTimestamp, TIMESTAMP_RULE, type Timestamp } from '../../shared/record/timestamp.ts';
import { type AdminKey, EXPIRY_RULE, futureExpiry, workspaceOf } from './admin-key.ts';
import { NETWORK_LIST_RULE, parseAdminKeyNetworkList } from './network.ts';
import type { StoredOrganization } from './organization.ts';
import { parseObject } from './parse-object.ts';
import { BEING_DELETED, UNKNOWN_ORGANIZATION } from './refusals.ts';

/** What a new admin key is to be, before it has an ID and a secret. */
export type GivenAdminKey = Pick<AdminKey, 'organizationId' | 'scope' | 'name' | 'expiresAt' | 'networks'>;

export type AdminKeyLine = Line<{ readonly adminKey: GivenAdminKey }>;

export const ADMIN_KEY_FIELDS = ['name', 'expires_at', 'networks', 'workspace_id'] as const;

const OTHER_WORKSPACE =
  'is not that of the valid admin key of this name, which never changes: revoke that one, or give another name';
const WORKSPACE_RULE = `${ID_RULE}, or left out for the whole organization: the default workspace has no ID`;

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
  const workspaceId = parseId<WorkspaceId>(text);
  return workspaceId && { workspaceId };
}

/** Returns the function that parses a line of a file that is read now. */
export function adminKeyParser(now: Timestamp) {
  return (record: unknown): { adminKey: GivenAdminKey } | Faulty =>
    parseObject(record, ['organization_id', ...ADMIN_KEY_FIELDS], (fields, faults) => ({
      adminKey: {
        organizationId: fields.read('organization_id', parseId<OrganizationId>, ID_RULE),
        ...readAdminKey(fields, faults, now),
      },
    }));
}

const orNull =
  <T>(parse: (value: unknown) => T | undefined) =>
  (value: unknown): T | null | undefined =>
    value === null ? null : parse(value);

/** What the lines do to a store. When one is refused, all are. */
export interface NewAdminKeys {
  readonly missing: readonly GivenAdminKey[];
  readonly unchanged: number;
  readonly refused: readonly RefusedLine[];
}

/** What was done. */
export interface AdminKeyChanges extends Omit<NewAdminKeys, 'missing'> {
  readonly created: readonly AdminKey[];
}

/** A valid admin key of a store. */
export interface AdminKeyInUse extends Pick<AdminKey, 'organizationId' | 'name'> {
  readonly workspaceId: string | null;
}

/** The text that is the same for two admin keys of one organization and name. */
const nameInOrganization = ({ organizationId, name }: Pick<AdminKey, 'organizationId' | 'name'>) =>
  `${organizationId} ${name}`;

/**
 * Which of the lines a store lacks that has these of their organizations, and these valid admin keys: no name of a file is made
 * twice, so that the file can be given again. Whoever gives a name another workspace must not take it for done.
 */
export function newAdminKeysOf(
  lines: readonly AdminKeyLine[],
  organizations: ReadonlyMap<OrganizationId, StoredOrganization>,
  inUse: readonly AdminKeyInUse[],
): NewAdminKeys {
  const workspacesOf = Map.groupBy(inUse, nameInOrganization);
  const missing: GivenAdminKey[] = [];
  const refused: RefusedLine[] = [];
  const lineOf = new Map<string, number>();
  let unchanged = 0;
  for (const each of lines) {
    const { line } = each;
    if ('faults' in each) {
      refused.push(each);
      continue;
    }
    const { adminKey } = each;
    const name = nameInOrganization(adminKey);
    const organization = organizations.get(adminKey.organizationId);
    const earlier = lineOf.get(name);
    lineOf.set(name, earlier ?? line);
    const refuse = (field: string, problem: string) => refused.push({ line, faults: [{ field, problem }] });
    if (!organization) refuse('organization_id', UNKNOWN_ORGANIZATION);
    else if (organization.deletedAt !== null) refuse('organization_id', BEING_DELETED);
    else if (earlier !== undefined) refuse('name', `duplicate of line ${earlier} in the same organization`);
    else {
      const same = workspacesOf.get(name);
      if (!same) missing.push(adminKey);
      else if (same.some(({ workspaceId }) => workspaceId === workspaceOf(adminKey))) unchanged += 1;
      else refuse('workspace_id', OTHER_WORKSPACE);
    }
  }
  return { missing, unchanged, refused };
}

/** The organizations of the lines. */
export function organizationsOf(lines: readonly AdminKeyLine[]): OrganizationId[] {
  return [...new Set(lines.flatMap(line => ('adminKey' in line ? [line.adminKey.organizationId] : [])))];
}

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
