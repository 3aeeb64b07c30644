import { Refused } from '../../../shared/record/faults.ts';
import type { OrganizationId } from '../../../shared/record/identifier.ts';
import { STATUSES } from '../../../shared/record/status.ts';
import { parseTimestamp } from '../../../shared/record/timestamp.ts';
import type { AdminKey } from '../../roster/admin-key.ts';
import { type Action, type AuditEntry, timeOf } from '../../roster/audit-log.ts';
import { deleteOrganization } from '../../roster/organization.ts';
import type { OperatorReader, RosterWriter } from '../../roster/roster.ts';
import { walkByCreation } from '../../roster/walks.ts';

interface Stores {
  readonly copy: RosterWriter;
  /** What the copy is of, where it can be read. It has what no log has: names, and digests of admin keys. */
  readonly old: OperatorReader | null;
}

/** An ID that is `null`, or of another kind, leads to nothing. */
type Entry = AuditEntry & { readonly organizationId: OrganizationId; readonly subjectId: never };

/** May return what an operator has to do instead. */
type Repeat = (entry: Entry, stores: Stores) => Promise<unknown>;

/** By the same methods. `null`: it ended nothing; a text: what an operator has to do, as no log has what it takes. */
const REPEATS: Readonly<Record<Action, Repeat | string | null>> = {
  migrate: null,
  restore: null,
  create_organization: bringOrganization,
  rename_organization: bringOrganization,
  disable_organization: ({ organizationId, recordedAt }, { copy }) =>
    copy.disableOrganization(organizationId, recordedAt),
  enable_organization: ({ organizationId }, { copy }) => copy.enableOrganization(organizationId),
  delete_organization: ({ organizationId, recordedAt }, { copy }) =>
    deleteOrganization(copy, organizationId, recordedAt, () => {}),
  create_admin_key: (entry, stores) => bringAdminKey(entry.subjectId, entry, stores),
  update_admin_key: endAdminKey,
  revoke_admin_key: endAdminKey,
  rotate_admin_key: async (entry, stores) => {
    await endAdminKey(entry, stores);
    return bringAdminKey(entry.details.replaced_by, entry, stores);
  },
  import: 'import or feed its API keys again',
  set_status: repeatStatus,
  revert_import: ({ subjectId }, { copy }) => copy.revertImport(subjectId, { skipChanged: true }),
  add_field: 'declare the field again',
  remove_field: ({ details }, { copy }) => copy.removeField(String(details.name)),
};

/** Returns what wasn't repeated: a line for each kind of act and organization that is still there, with the time of the first. */
export async function repeatAll(
  entries: readonly AuditEntry[],
  stores: Stores,
  onRepeated: (done: number) => void,
): Promise<string[]> {
  const left = new Map<string, AuditEntry>();
  for (const [index, entry] of entries.entries()) {
    const problem = await repeat(entry as Entry, stores);
    const of = entry.organizationId === null ? '' : ` of ${entry.organizationId}`;
    if (entry.action === 'delete_organization')
      for (const [line, { organizationId }] of left)
        if (organizationId === entry.organizationId) left.delete(line);
    const line = typeof problem === 'string' ? `${entry.action}${of}: ${problem}` : null;
    if (line !== null && !left.has(line)) left.set(line, entry);
    onRepeated(index + 1);
  }
  return [...left].map(([line, first]) => `${line} (since ${timeOf(first)})`);
}

async function repeat(entry: Entry, stores: Stores): Promise<unknown> {
  const how = REPEATS[entry.action] ?? null; // a newer release has other actions
  if (typeof how !== 'function') return entry.action in REPEATS ? how : 'this release does not know it';
  try {
    return await how(entry, stores);
  } catch (error) {
    if (!(error instanceof Refused) || error.mayPass) throw error;
    // What an ID or a name doesn't lead to isn't served.
    const isUnknown = error.faults.length > 0 && error.faults.every(({ field }) => field !== 'status');
    return isUnknown ? null : error.message;
  }
}

async function bringOrganization({ organizationId, action }: Entry, { copy, old }: Stores) {
  const organization = await old?.findOrganization(organizationId).catch(unlessUnknown);
  if (!organization)
    return action === 'create_organization' ? 'make it again, with its ID' : 'rename it again';
  const { refused } = await copy.importOrganizations([{ line: 1, organization }], { dryRun: false });
  return refused.length > 0 ? 'the copy has another one with this ID' : null;
}

async function bringAdminKey(id: unknown, { organizationId }: Entry, { copy, old }: Stores) {
  const key = old && (await adminKeyIn(old, organizationId, id).catch(unlessUnknown));
  return key ? copy.copyAdminKeys([key]) : 'create another one and hand it out';
}

/** For what was deleted later. */
function unlessUnknown(error: unknown): null {
  if (error instanceof Refused && !error.mayPass) return null;
  throw error;
}

async function endAdminKey(
  { organizationId, subjectId, action, details, recordedAt }: Entry,
  { copy }: Stores,
) {
  const key = await adminKeyIn(copy, organizationId, subjectId);
  const revokedAt = action === 'revoke_admin_key' ? recordedAt : null;
  const ends = {
    expiresAt: parseTimestamp(details.old_expires_at ?? details.expires_at) ?? null,
    revokedAt: parseTimestamp(details.revoked_at) ?? revokedAt,
  };
  return key && copy.copyAdminKeys([{ ...key, ...ends }]);
}

async function adminKeyIn(store: OperatorReader, organization: OrganizationId, id: unknown) {
  const pages = walkByCreation<AdminKey>((...position) => store.listAdminKeys(organization, ...position));
  for await (const keys of pages) {
    const found = keys.find(key => key.id === id);
    if (found) return found;
  }
  return null;
}

async function repeatStatus({ organizationId, subjectId, details }: Entry, { copy }: Stores) {
  const status = STATUSES.find(known => known === details.status);
  return subjectId === null || status === undefined
    ? "set the status of its API keys again: the log doesn't say whose"
    : copy.setStatus(organizationId, [subjectId], status);
}
