/** What each method of a `RosterWriter` that writes leaves in the audit log. A method that isn't here doesn't compile. */
import type { AdminKey } from './admin-key.ts';
import type { AuditedAct } from './audit-log.ts';
import type { OrganizationId } from './identifier.ts';
import { countOutcomes } from './put-outcome.ts';
import type { RosterWriter, WritingMethod } from './roster.ts';
import { formatTimeOrNull } from './timestamp.ts';

export type ResultOf<M extends WritingMethod> = Awaited<ReturnType<RosterWriter[M]>>;

type AuditedActOf<M extends WritingMethod> = (
  result: ResultOf<M>,
  ...args: Parameters<RosterWriter[M]>
) => readonly AuditedAct[];

/** None: nothing was done, so there is nothing to record. */
export const auditedActOf: { readonly [M in WritingMethod]: AuditedActOf<M> } = {
  createOrganization: (_, { id }) => [changedOrganization('create_organization', id)],
  importOrganizations: ({ created, renamed, refused }, _, { dryRun }) => {
    if (dryRun || refused.length > 0) return [];
    return [
      ...created.map(({ id }) => changedOrganization('create_organization', id)),
      ...renamed.map(({ id }) => changedOrganization('rename_organization', id)),
    ];
  },
  renameOrganization: ({ id }) => [changedOrganization('rename_organization', id)],
  disableOrganization: ({ id }) => [changedOrganization('disable_organization', id)],
  enableOrganization: ({ id }) => [changedOrganization('enable_organization', id)],
  /** The whole deletion is one act, which is recorded when it begins. */
  deleteNext: ({ begun }, id) => (begun ? [changedOrganization('delete_organization', id)] : []),
  createAdminKey: (_, key) => [createdAdminKey(key)],
  createAdminKeys: ({ created }) => created.map(createdAdminKey),
  copyAdminKeys: ({ created, updated }) => [
    ...created.map(createdAdminKey),
    ...updated.map(
      ({ id, organizationId, expiresAt, revokedAt }): AuditedAct => ({
        action: 'update_admin_key',
        organizationId,
        subjectId: id,
        details: { expires_at: formatTimeOrNull(expiresAt), revoked_at: formatTimeOrNull(revokedAt) },
      }),
    ),
  ],
  revokeAdminKey: ({ id, organizationId, revokedAt }) => [
    {
      action: 'revoke_admin_key',
      organizationId,
      subjectId: id,
      details: { revoked_at: formatTimeOrNull(revokedAt) },
    },
  ],
  rotateAdminKey: ({ old, new: replacement }) => [
    {
      action: 'rotate_admin_key',
      organizationId: old.organizationId,
      subjectId: old.id,
      details: {
        replaced_by: replacement.id,
        old_expires_at: formatTimeOrNull(old.expiresAt),
        expires_at: formatTimeOrNull(replacement.expiresAt),
      },
    },
  ],
  recordAdminKeyUse: ({ updated, unchanged, unknown }) => [
    {
      action: 'record_admin_key_use',
      organizationId: null,
      subjectId: null,
      details: { updated, unchanged, unknown },
    },
  ],
  importApiKeys: ({ importId, organizations }) => {
    if (importId === null) return [];
    return organizations.flatMap(({ organizationId, created, ...details }): AuditedAct[] => [
      ...(created ? [changedOrganization('create_organization', organizationId)] : []),
      { action: 'import', organizationId, subjectId: importId, details },
    ]);
  },
  revertImport: (organizations, subjectId, { dryRun }) =>
    dryRun
      ? []
      : organizations.map(({ organizationId, ...details }) => ({
          action: 'revert_import',
          organizationId,
          subjectId,
          details,
        })),
  putApiKeys: (counts, organizationId, keys) => [
    {
      action: 'import',
      organizationId,
      subjectId: 'read' in keys ? keys.onlyId : keys.length === 1 ? (keys[0]?.id ?? null) : null,
      details: { ...counts, refused: 0 },
    },
  ],
  feedApiKeys: (outcomes, lines) => {
    const fed = lines.map((line, index) => ({ ...line, outcome: outcomes[index] ?? { faults: [] } }));
    return [...Map.groupBy(fed, ({ organizationId }) => organizationId)].flatMap(([organizationId, ours]) => {
      const details = countOutcomes(ours.map(({ outcome }) => outcome));
      if (details.refused === ours.length) return [];
      const subjectId = ours.length === 1 ? (ours[0]?.key.id ?? null) : null;
      return [{ action: 'import', organizationId, subjectId, details } as const];
    });
  },
  setStatus: ({ changed, unchanged }, organizationId, ids, status) => [
    {
      action: 'set_status',
      organizationId,
      subjectId: changed + unchanged === 1 ? (ids[0] ?? null) : null,
      details: { status, changed, unchanged },
    },
  ],
  addField: ({ name, type }) => [
    { action: 'add_field', organizationId: null, subjectId: null, details: { name, type: type.kind } },
  ],
  removeField: ({ name }) => [
    { action: 'remove_field', organizationId: null, subjectId: null, details: { name } },
  ],
};

function changedOrganization(
  action: `${'create' | 'rename' | 'disable' | 'enable' | 'delete'}_organization`,
  organizationId: OrganizationId,
): AuditedAct {
  return { action, organizationId, subjectId: null, details: {} };
}

function createdAdminKey({ id, organizationId, expiresAt }: AdminKey): AuditedAct {
  return {
    action: 'create_admin_key',
    organizationId,
    subjectId: id,
    details: { expires_at: formatTimeOrNull(expiresAt) },
  };
}

/** A step of the schema that was applied. */
export function migrated(step: number): AuditedAct {
  return {
    action: 'migrate',
    organizationId: null,
    subjectId: null,
    details: { schema_version: step },
  };
}
