import type { AdminKey } from '../../service/roster/admin-key.ts';
import { deleteOrganization } from '../../service/roster/organization.ts';
import type { OperatorReader, RosterWriter } from '../../service/roster/roster.ts';
import { walkByCreation } from '../../service/roster/walks.ts';
import { type Action, type AuditEntry, timeOf } from '../../service/roster/writes/audit-log.ts';
import { shellWord } from '../../shared/command/shell-word.ts';
import { ProgressBar } from '../../shared/command/terminal/progress-bar.ts';
import { Refused } from '../../shared/record/faults.ts';
import type { OrganizationId } from '../../shared/record/identifier.ts';
import { STATUSES } from '../../shared/record/status.ts';
import { parseTimestamp, type Timestamp, timestampNow } from '../../shared/record/timestamp.ts';

/** An ID that is `null`, or of another kind, leads to nothing. */
type Entry = AuditEntry & { readonly organizationId: OrganizationId; readonly subjectId: never };

interface Ending {
  /** The command, after `keyroster`. A `FILE` is what no log has. */
  readonly command?: (entry: Entry) => readonly unknown[];
  /** Resolves to `LEFT` where it began something. */
  readonly repeat?: (entry: Entry, copy: RosterWriter) => Promise<unknown>;
}

/** It began something. Only the operator knows whether it is to be again. */
const LEFT: Ending = {};

const REVOCATION: Ending = {
  command: ({ subjectId }) => ['admin-keys', 'revoke', subjectId],
  repeat: async () => {}, // by `endAdminKeys`
};

/** The last word of a command: an ID that begins with a dash is no option. */
const operand = (id: string) => (id.startsWith('-') ? ['--', id] : [id]);

/** `null`: it leaves nothing to do. */
const ENDINGS: Readonly<Record<Action, Ending | null>> = {
  migrate: null,
  restore: null,
  create_organization: LEFT,
  rename_organization: LEFT,
  enable_organization: LEFT,
  create_admin_key: LEFT,
  import: LEFT,
  add_field: LEFT,
  update_admin_key: REVOCATION,
  revoke_admin_key: REVOCATION,
  rotate_admin_key: {
    command: ({ subjectId, details }) => {
      const seconds = secondsUntil(parseTimestamp(details.old_expires_at));
      return seconds > 0
        ? ['admin-keys', 'rotate', subjectId, '--overlap', `${seconds}s`]
        : ['admin-keys', 'revoke', subjectId];
    },
    repeat: async () => LEFT, // the other key, which only this command has
  },
  disable_organization: {
    command: ({ organizationId }) => ['organizations', 'disable', ...operand(organizationId)],
    repeat: ({ organizationId, recordedAt }, copy) => copy.disableOrganization(organizationId, recordedAt),
  },
  delete_organization: {
    command: ({ organizationId: id }) => ['organizations', 'delete', '--confirm', id, ...operand(id)],
    repeat: ({ organizationId, recordedAt }, copy) =>
      deleteOrganization(copy, organizationId, recordedAt, () => {}),
  },
  set_status: {
    command: ({ organizationId, subjectId, details }) => {
      const ids = subjectId === null ? ['--from', 'FILE'] : operand(subjectId);
      return ['set-status', '--organization', organizationId, details.status, ...ids];
    },
    repeat: async ({ organizationId, subjectId, details }, copy) => {
      const status = STATUSES.find(known => known === details.status) ?? 'active';
      if (subjectId === null || status === 'active') return LEFT;
      return copy.setStatus(organizationId, [subjectId], status);
    },
  },
  revert_import: {
    command: ({ subjectId }) => ['imports', 'revert', subjectId, '--skip-changed'],
    // It may set keys to active. Of an import that the copy lacks, nothing is left.
    repeat: async ({ subjectId }, copy) => {
      await copy.revertImport(subjectId, { skipChanged: true, dryRun: true });
      return LEFT;
    },
  },
  remove_field: {
    command: ({ details }) => ['fields', 'remove', details.name, '--yes'],
    repeat: ({ details }, copy) => copy.removeField(String(details.name)),
  },
};

/** A newer release has other actions. */
const endingOf = ({ action }: Entry) => (Object.hasOwn(ENDINGS, action) ? ENDINGS[action] : LEFT);

const secondsUntil = (end: Timestamp | undefined) =>
  end === undefined ? 0 : Math.floor(Number(end - timestampNow()) / 1e6);

/**
 * Repeats in the copy what ended; without it nothing is done. Returns what is left: its kinds, and then the commands for what ended, in
 * the order of the log. What ended after something that is left in its organization is among them, though it was repeated: the
 * operator may do that again.
 */
export async function repeatAll(log: readonly AuditEntry[], copy?: RosterWriter): Promise<string[]> {
  const entries = log as readonly Entry[];
  const deletions = entries.filter(({ action }) => action === 'delete_organization');
  const deletedBy = new Map(deletions.map(({ organizationId, number }) => [organizationId, number]));
  const left: Entry[] = [];
  const leftIn = new Set<OrganizationId>();
  const commands = new Set<string>();
  const bar = new ProgressBar();
  for (const [done, entry] of entries.entries()) {
    bar.draw(done / entries.length, 'repeating', done, 'acts');
    const { organizationId, number } = entry;
    if (endingOf(entry) === null || number < (deletedBy.get(organizationId) ?? 0)) continue;
    const isDone = copy !== undefined && (await isRepeated(entry, copy));
    if (!isDone) {
      left.push(entry);
      leftIn.add(organizationId);
    }
    if (!leftIn.has(organizationId)) continue;
    for (const command of commandOf(entry)) {
      commands.delete(command); // of equal ones the last counts
      commands.add(command);
    }
  }
  bar.clear();
  const kinds = Map.groupBy(left, ({ action, organizationId }) =>
    organizationId === null ? action : `${action} of ${organizationId}`,
  );
  return [
    ...Array.from(kinds, ([kind, acts]) => `${kind}: ${acts.length} since ${acts.slice(0, 1).map(timeOf)}`),
    ...(commands.size > 0 ? [IN_ORDER] : []),
    ...commands,
  ];
}

const IN_ORDER = 'for what ended, run these in this order, and between them what you do again:';

function commandOf(entry: Entry): string[] {
  const words = endingOf(entry)?.command?.(entry);
  return words ? [`  ${['keyroster', ...words].map(shellWord).join(' ')}`] : [];
}

async function isRepeated(entry: Entry, copy: RosterWriter): Promise<boolean> {
  const repeat = endingOf(entry)?.repeat;
  try {
    return repeat !== undefined && (await repeat(entry, copy)) !== LEFT;
  } catch (error) {
    if (!(error instanceof Refused) || error.mayPass) throw error;
    // What others may bring back later isn't done by not being there.
    const isFinal = entry.action === 'delete_organization' || entry.action === 'revert_import';
    return isFinal && error.faults.length > 0;
  }
}

/** Each admin key of the copy ends when it does in the old store. Who was made since is left. */
export async function endAdminKeys(copy: RosterWriter, old: OperatorReader): Promise<void> {
  const ids = new Set<string>();
  for await (const keys of adminKeysOf(copy)) for (const { id } of keys) ids.add(id);
  for await (const keys of adminKeysOf(old))
    await copy.copyAdminKeys(keys.filter(({ id }) => ids.has(id)).map(key => ({ ...key, replacedBy: null })));
}

const adminKeysOf = (store: OperatorReader) =>
  walkByCreation<AdminKey>((...position) => store.listAdminKeys(null, ...position));
