/** What each method of a `RosterWriter` that writes leaves in the audit log. A method that isn't here doesn't compile. */
import type { AuditedAct } from './audit-log.ts';
import { countOutcomes } from './put-outcome.ts';
import type { RosterWriter, WritingMethod } from './roster.ts';
import { formatTimestamp, type Timestamp } from './timestamp.ts';

export type ResultOf<M extends WritingMethod> = Awaited<ReturnType<RosterWriter[M]>>;

type AuditedActOf<M extends WritingMethod> = (
  result: ResultOf<M>,
  ...args: Parameters<RosterWriter[M]>
) => readonly AuditedAct[];

/** None: nothing was done, so there is nothing to record. */
export const auditedActOf: { readonly [M in WritingMethod]: AuditedActOf<M> } = {
  createOrganization: (_, { id }) => [
    { action: 'create_organization', organizationId: id, subjectId: null, details: {} },
  ],
  createAdminKey: (_, { id, organizationId, expiresAt }) => [
    {
      action: 'create_admin_key',
      organizationId,
      subjectId: id,
      details: { expires_at: timeOrNull(expiresAt) },
    },
  ],
  revokeAdminKey: ({ id, organizationId, revokedAt }) => [
    {
      action: 'revoke_admin_key',
      organizationId,
      subjectId: id,
      details: { revoked_at: timeOrNull(revokedAt) },
    },
  ],
  rotateAdminKey: ({ old, new: replacement }) => [
    {
      action: 'rotate_admin_key',
      organizationId: old.organizationId,
      subjectId: old.id,
      details: {
        replaced_by: replacement.id,
        old_expires_at: timeOrNull(old.expiresAt),
        expires_at: timeOrNull(replacement.expiresAt),
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
  importApiKeys: ({ inserted, updated, unchanged, refused }, organizationId, _, options) => {
    if (options.dryRun || (refused > 0 && !options.skipRefused)) return [];
    const details = { inserted, updated, unchanged, refused };
    return [{ action: 'import', organizationId, subjectId: null, details }];
  },
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

/** A step of the schema that was applied. */
export function migrated(step: number): AuditedAct {
  return {
    action: 'migrate',
    organizationId: null,
    subjectId: null,
    details: { schema_version: step },
  };
}

function timeOrNull(time: Timestamp | null): string | null {
  return time === null ? null : formatTimestamp(time);
}
