/** What each method of a `RosterWriter` that writes leaves in the audit log. A method that isn't here doesn't compile. */

import type { OrganizationId } from '../../../shared/record/identifier.ts';
import { formatTimeOrNull } from '../../../shared/record/timestamp.ts';
import { type AdminKey, workspaceOf } from '../admin-key.ts';
import type { RosterWriter, WritingMethod } from '../roster.ts';
import type { Action, AuditDetails, AuditedAct } from './audit-log.ts';
import { isUse } from './key-use.ts';
import { countOutcomes } from './put-outcome.ts';

export type ResultOf<M extends WritingMethod> = Awaited<ReturnType<RosterWriter[M]>>;

type AuditedActOf<M extends WritingMethod> = (
  result: ResultOf<M>,
  ...args: Parameters<RosterWriter[M]>
) => readonly AuditedAct[];

/** None: nothing was done, or nothing that is recorded. */
export const auditedActOf: { readonly [M in WritingMethod]: AuditedActOf<M> } = {
  createOrganization: (_, { id }) => [act('create_organization', id, null)],
  renameOrganization: ({ id }) => [act('rename_organization', id, null)],
  disableOrganization: ({ id }) => [act('disable_organization', id, null)],
  enableOrganization: ({ id }) => [act('enable_organization', id, null)],
  /** The whole deletion is one act, which is recorded when it begins. */
  deleteNext: ({ begun }, id) => (begun ? [act('delete_organization', id, null)] : []),
  createAdminKey: (_, key) => [createdAdminKey(key)],
  copyAdminKeys: ({ created, updated }) => [
    ...created.map(createdAdminKey),
    ...updated.map(({ id, organizationId, expiresAt, revokedAt }) =>
      act('update_admin_key', organizationId, id, {
        expires_at: formatTimeOrNull(expiresAt),
        revoked_at: formatTimeOrNull(revokedAt),
      }),
    ),
  ],
  revokeAdminKey: ({ id, organizationId, revokedAt }) => [
    act('revoke_admin_key', organizationId, id, { revoked_at: formatTimeOrNull(revokedAt) }),
  ],
  rotateAdminKey: ({ old, new: replacement }) => [
    act('rotate_admin_key', old.organizationId, old.id, {
      replaced_by: replacement.id,
      old_expires_at: formatTimeOrNull(old.expiresAt),
      expires_at: formatTimeOrNull(replacement.expiresAt),
    }),
  ],
  importApiKeys: ({ importId, organizations }) => {
    if (importId === null) return [];
    return organizations.flatMap(({ organizationId, created, ...counts }) => [
      ...(created ? [act('create_organization', organizationId, null)] : []),
      act('import', organizationId, importId, counts),
    ]);
  },
  revertImport: (organizations, importId, { dryRun }) =>
    dryRun
      ? []
      : organizations.map(({ organizationId, ...counts }) =>
          act('revert_import', organizationId, importId, counts),
        ),
  putApiKeys: (counts, organizationId, keys) => {
    const onlyId = 'read' in keys ? keys.onlyId : keys.length === 1 ? (keys[0]?.id ?? null) : null;
    return [act('import', organizationId, onlyId, { ...counts, refused: 0 })];
  },
  feedApiKeys: (outcomes, lines) => {
    const all = lines.map((line, index) => ({ ...line, outcome: outcomes[index] ?? { faults: [] } }));
    const fed = all.filter(line => !isUse(line));
    return [...Map.groupBy(fed, ({ organizationId }) => organizationId)].flatMap(([organizationId, ours]) => {
      const counts = countOutcomes(ours.map(({ outcome }) => outcome));
      if (counts.refused === ours.length) return [];
      const onlyId = ours.length === 1 ? (ours[0]?.key.id ?? null) : null;
      return [act('import', organizationId, onlyId, { ...counts })];
    });
  },
  setStatus: ({ changed, unchanged }, organizationId, ids, status) => {
    const onlyId = changed + unchanged === 1 ? (ids[0] ?? null) : null;
    return [act('set_status', organizationId, onlyId, { status, changed, unchanged })];
  },
  addField: ({ name, type }) => [act('add_field', null, null, { name, type: type.kind })],
  confirmRestore: () => [act('restore', null, null)],
  removeField: ({ name }) => [act('remove_field', null, null, { name })],
};

function createdAdminKey(key: AdminKey): AuditedAct {
  const details = { expires_at: formatTimeOrNull(key.expiresAt), workspace_id: workspaceOf(key) };
  return act('create_admin_key', key.organizationId, key.id, details);
}

/** A step of the schema that was applied. */
export const migrated = (step: number) => act('migrate', null, null, { schema_version: step });

function act(
  action: Action,
  organizationId: OrganizationId | null,
  subjectId: AuditedAct['subjectId'],
  details: AuditDetails = {},
): AuditedAct {
  return { action, organizationId, subjectId, details };
}
