import { newAdminKey, newRotation } from '../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../src/service/roster/admin-key-secret.ts';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { RosterWriter, WritingMethod } from '../../src/service/roster/roster.ts';
import type { AuditEntry } from '../../src/service/roster/writes/audit-log.ts';
import type { NewField } from '../../src/service/roster/writes/new-field.ts';
import { type Duration, parseDuration } from '../../src/shared/record/duration.ts';
import {
  type AdminKeyId,
  type ApiKeyId,
  type ImportId,
  newId,
  type OrganizationId,
  type WorkspaceId,
} from '../../src/shared/record/identifier.ts';
import { formatTimestamp, type Timestamp } from '../../src/shared/record/timestamp.ts';
import { firstKeys } from './changing-roster.ts';
import { ALL, createOrganization, importLines, now, VENDOR } from './roster.ts';

const EXPIRES_AT = 4_000_000_000_000_001n as Timestamp;

const NOTE: NewField = { name: 'note', type: { kind: 'text', max_length: 9 } };

/** What an act works on: an organization that has a valid admin key and three API keys. */
export interface Given {
  readonly organization: OrganizationId;
  readonly adminKey: AdminKeyId;
  readonly keys: readonly ApiKeyId[];
  /** Of the import that inserted them. */
  readonly importId: ImportId;
}

type Expected = Pick<AuditEntry, 'action' | 'organizationId' | 'subjectId' | 'details'>;

/** One act of each method that writes, and what is recorded about it. */
export const acts = {
  createOrganization: async writer => {
    const id = newId<OrganizationId>('org');
    await writer.createOrganization({ id, name: 'Example', createdAt: now() });
    return { action: 'create_organization', organizationId: id, subjectId: null, details: {} };
  },
  createAdminKey: async (writer, { organization: organizationId }) => {
    const secret = AdminKeySecret.issue(VENDOR);
    const scope = { workspaceId: 'wrkspc_1' as WorkspaceId };
    const parts = { organizationId, scope, name: 'test', createdAt: now(), expiresAt: EXPIRES_AT };
    const key = newAdminKey(secret, parts);
    await writer.createAdminKey(key);
    const details = { expires_at: formatTimestamp(EXPIRES_AT), workspace_id: 'wrkspc_1' };
    return { action: 'create_admin_key', organizationId, subjectId: key.id, details };
  },
  revokeAdminKey: async (writer, { organization: organizationId, adminKey }) => {
    const at = now();
    await writer.revokeAdminKey(adminKey, at);
    const details = { revoked_at: formatTimestamp(at) };
    return { action: 'revoke_admin_key', organizationId, subjectId: adminKey, details };
  },
  rotateAdminKey: async (writer, { organization: organizationId, adminKey }) => {
    const rotation = newRotation(AdminKeySecret.issue(VENDOR), now());
    const overlap = parseDuration('2d') as Duration;
    await writer.rotateAdminKey(adminKey, rotation, overlap);
    const old_expires_at = formatTimestamp((rotation.createdAt + overlap) as Timestamp);
    const details = { replaced_by: rotation.id, old_expires_at, expires_at: null };
    return { action: 'rotate_admin_key', organizationId, subjectId: adminKey, details };
  },
  copyAdminKeys: async (writer, { organization: organizationId }) => {
    const key = newAdminKey(AdminKeySecret.issue(VENDOR), {
      organizationId,
      scope: null,
      name: 'copied',
      createdAt: now(),
    });
    await writer.copyAdminKeys([key]);
    const details = { expires_at: null, workspace_id: null };
    return { action: 'create_admin_key', organizationId, subjectId: key.id, details };
  },
  renameOrganization: async (writer, { organization: organizationId }) => {
    await writer.renameOrganization(organizationId, 'Renamed');
    return { action: 'rename_organization', organizationId, subjectId: null, details: {} };
  },
  disableOrganization: async (writer, { organization: organizationId }) => {
    await writer.disableOrganization(organizationId, now());
    return { action: 'disable_organization', organizationId, subjectId: null, details: {} };
  },
  enableOrganization: async (writer, { organization: organizationId }) => {
    await writer.enableOrganization(organizationId);
    return { action: 'enable_organization', organizationId, subjectId: null, details: {} };
  },
  importApiKeys: async (writer, { organization: organizationId }) => {
    const keys = firstKeys(5).map((key, index) => (index === 0 ? { ...key, name: 'Renamed' } : key));
    const lines = keys.map((key, index) => ({ line: index + 1, organizationId, key }));
    const { importId: subjectId } = await importLines(writer, lines);
    const details = { inserted: 2, updated: 1, unchanged: 2, refused: 0 };
    return { action: 'import', organizationId, subjectId, details };
  },
  revertImport: async (writer, { organization: organizationId, importId }) => {
    await writer.revertImport(importId, {});
    const details = { deleted: 3, statuses: 0, skipped: 0 };
    return { action: 'revert_import', organizationId, subjectId: importId, details };
  },
  putApiKeys: async (writer, { organization: organizationId }) => {
    const [renamed, unchanged] = firstKeys(2);
    await writer.putApiKeys(organizationId, [{ ...renamed, name: 'Renamed' } as ApiKey, unchanged as ApiKey]);
    const details = { inserted: 0, updated: 1, unchanged: 1, refused: 0 };
    return { action: 'import', organizationId, subjectId: null, details };
  },
  feedApiKeys: async (writer, { organization: organizationId }) => {
    const [known, another] = firstKeys(2) as [ApiKey, ApiKey];
    await writer.feedApiKeys([
      { organizationId, key: { ...known, name: 'Renamed' } },
      { organizationId: 'unknown' as OrganizationId, key: another },
      { organizationId, key: { ...another, createdAt: (another.createdAt + 1n) as Timestamp } },
    ]);
    const details = { inserted: 0, updated: 1, unchanged: 0, refused: 1 };
    return { action: 'import', organizationId, subjectId: null, details };
  },
  setStatus: async (writer, { organization: organizationId, keys }) => {
    await writer.setStatus(organizationId, keys, 'archived');
    const details = { status: 'archived' as const, changed: keys.length, unchanged: 0 };
    return { action: 'set_status', organizationId, subjectId: null, details };
  },
  confirmRestore: async writer => {
    await writer.confirmRestore();
    return { action: 'restore', organizationId: null, subjectId: null, details: {} };
  },
  addField: async writer => {
    const name = `used_${(await writer.listFields()).length}`;
    await writer.addField({ name, type: { kind: 'timestamp' } });
    const details = { name, type: 'timestamp' };
    return { action: 'add_field', organizationId: null, subjectId: null, details };
  },
  removeField: async writer => {
    await writer.removeField(NOTE.name);
    return { action: 'remove_field', organizationId: null, subjectId: null, details: { name: NOTE.name } };
  },
  deleteNext: async (writer, { organization: organizationId }) => {
    for (let step = 0; step < 3; step += 1) await writer.deleteNext(organizationId, now(), null);
    return { action: 'delete_organization', organizationId, subjectId: null, details: {} };
  },
} satisfies Record<WritingMethod, (writer: RosterWriter, given: Given) => Promise<Expected>>;

export async function given(writer: RosterWriter): Promise<Given> {
  const { id: organization } = await createOrganization(writer);
  const keys = firstKeys(3);
  const lines = keys.map((key, index) => ({ line: index + 1, organizationId: organization, key }));
  const { importId } = await importLines(writer, lines);
  const [adminKey] = await writer.listAdminKeys(organization, ...ALL);
  if (!(await writer.listFields()).some(({ name }) => name === NOTE.name)) await writer.addField(NOTE);
  const active = keys.filter(({ status }) => status === 'active').map(({ id }) => id);
  return { organization, adminKey: adminKey?.id as AdminKeyId, keys: active, importId: importId as ImportId };
}
