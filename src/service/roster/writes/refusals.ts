/** What both stores refuse, with the same messages. Each store checks the conditions in its own way. */

import type { ApiKeyRecord } from '../../../shared/record/api-key-record.ts';
import { type Fault, problemTexts, Refused, type RefusedFault } from '../../../shared/record/faults.ts';
import type { ApiKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import { idLooksLikeKey, ownerIdLooksLikeKey } from '../../../shared/record/looks-like-key.ts';
import { isAllowedTransition, type Status, transitionProblem } from '../../../shared/record/status.ts';
import { formatTimestamp, type Timestamp } from '../../../shared/record/timestamp.ts';
import type { AdminKey } from '../admin-key.ts';
import type { DeclaredField } from '../declared-fields.ts';
import { MAX_FIELDS } from './new-field.ts';

export function organizationExists(id: OrganizationId): Refused {
  const fault = { field: 'id', problem: 'already exists: choose another ID', index: null, id };
  return new Refused(`organization ${id} ${fault.problem}`, { faults: [fault] });
}

export function unknownOrganization(): Refused {
  return unknownId('organization_id', UNKNOWN_ORGANIZATION);
}

const UNKNOWN_ORGANIZATION =
  'there is no organization with this ID: "keyroster organizations list" shows them';

export function beingDeleted(): Refused {
  return unknownId('organization_id', `the organization ${BEING_DELETED}`);
}

export const BEING_DELETED =
  'is being deleted: "keyroster organizations delete" completes it, then the ID can be used again';

export function deletedMeanwhile(): Refused {
  return new Refused('an organization was deleted meanwhile; nothing was changed: run it again');
}

export function changedMeanwhile(): Refused {
  return new Refused(
    'some of these API keys were written by others during the import; nothing was changed: run it again',
  );
}

export function unknownAdminKey(): Refused {
  return unknownId('id', 'there is no admin key with this ID: "keyroster admin-keys list" shows them');
}

/** Throws `Refused` when there can't be another field, of this name. */
/** A trigger of somebody else may drop a change. */
export function requireRevoked(key: AdminKey): AdminKey {
  if (key.revokedAt === null)
    throw new Refused(
      'database: the admin key is not revoked: a trigger of admin_keys drops the change: drop the trigger',
    );
  return key;
}

export function requireNewField(name: string, present: readonly DeclaredField[]): void {
  if (present.some(field => field.name === name))
    throw refusedName(`there is a declared field ${name} already: "keyroster fields list" shows it`);
  if (present.length >= MAX_FIELDS)
    throw refusedName(`there are ${MAX_FIELDS} declared fields, and no more are possible: remove one`);
}

export function unknownField(): Refused {
  return refusedName('there is no declared field of this name: "keyroster fields list" shows them');
}

function refusedName(problem: string): Refused {
  return new Refused(problem, { faults: [{ field: 'name', problem, index: null, id: null }] });
}

/** An API key was read by a declared field that was removed meanwhile. */
export const FIELDS_CHANGED: Fault = {
  field: null,
  problem: 'the declared fields were changed meanwhile: run it again',
};

/** The fault of a line of an import whose organization can't be imported to. */
export function organizationFault(id: OrganizationId, is: 'unknown' | 'being deleted'): Fault {
  const shown = ownerIdLooksLikeKey(id) ? 'of an ID that looks like a full key' : id;
  const problem =
    is === 'unknown' ? `there is no organization ${shown}` : `the organization ${shown} is being deleted`;
  return { field: 'organization_id', problem };
}

export function unknownImport(): Refused {
  return unknownId('id', 'there is no import with this ID: "keyroster imports list" shows them');
}

export function alreadyReverted(at: Timestamp): Refused {
  return unknownId('id', `the import was reverted at ${formatTimestamp(at)}`);
}

export function changedSince(count: number): Refused {
  return new Refused(
    `nothing was reverted: something else changed ${count} of the import's API keys since; "keyroster imports list" and "keyroster audit" show what: revert later imports first; --skip-changed leaves these keys and reverts the others`,
  );
}

/** What an ID leads to isn't there, or not any more. */
function unknownId(field: string, problem: string): Refused {
  return new Refused(problem, { faults: [{ field, problem, index: null, id: null }] });
}

/** Further faults are only counted, so that a batch of wrong records or IDs gives a message that can be read. */
const MAX_FAULTS_IN_MESSAGE = 20;

/** Throws one `Refused` that names every key that doesn't exist or whose status can't become this one. */
export function requireStatusChanges(
  statuses: ReadonlyMap<ApiKeyId, Status>,
  ids: readonly ApiKeyId[],
  to: Status,
): void {
  const first = new Map(ids.map((id, index) => [id, index] as const).reverse());
  const faults = [...new Set(ids)].flatMap((id): RefusedFault[] => {
    const from = statuses.get(id);
    const index = first.get(id) ?? null;
    if (from === undefined)
      return [{ field: 'id', problem: 'no such API key in this organization', index, id }];
    if (isAllowedTransition(from, to)) return [];
    return [{ field: 'status', problem: transitionProblem(from, to), index, id }];
  });
  if (faults.length > 0) throw refusedStatuses(faults);
}

/** The refusal of statuses. Its `faults` are complete. `whereOf` tells where the key with this index was named. */
export function refusedStatuses(faults: readonly RefusedFault[], whereOf = (_index: number) => ''): Refused {
  return refusedAll('no status was changed', faults, ({ index, id, problem }) => {
    const where = index === null ? '' : whereOf(index);
    return `${where}${id ?? 'an ID that looks like a full key'}: ${problem}`;
  });
}

/** The refusal of an issuer's write. Its `faults` are complete. */
export function refusedWrite(faults: readonly RefusedFault[]): Refused {
  return refusedAll('nothing was changed', faults, fault => {
    const key = fault.index === null ? '' : `key ${fault.index}: `;
    return key + problemTexts([fault]);
  });
}

/** An ID that may be a full key, given by mistake, is repeated nowhere. */
function refusedAll(
  outcome: string,
  given: readonly RefusedFault[],
  textOf: (fault: RefusedFault) => string,
): Refused {
  const faults = given.map(fault => (fault.id && idLooksLikeKey(fault.id) ? { ...fault, id: null } : fault));
  const named = faults.slice(0, MAX_FAULTS_IN_MESSAGE).map(textOf);
  const more = faults.length > named.length ? `; and ${faults.length - named.length} more` : '';
  return new Refused(`${outcome}: ${named.join('; ')}${more}`, { faults });
}

/** The fault of a line of an import, or a key of a put, whose ID an earlier one has. */
export function duplicateOf(number: number, unit: 'line' | 'key' = 'line'): Fault {
  return { field: 'id', problem: `duplicate of ${unit} ${number}` };
}

/** The changes that an import must not make: to a key's creation time, to its creator, or to a status that can't follow. */
export function changeFaults(stored: ApiKeyRecord, imported: ApiKeyRecord): Fault[] {
  const fixed = [
    { field: 'created_at', was: stored.created_at, is: imported.created_at },
    { field: 'created_by.id', was: stored.created_by.id, is: imported.created_by.id },
    { field: 'created_by.type', was: stored.created_by.type, is: imported.created_by.type },
  ];
  const faults: Fault[] = fixed
    .filter(({ was, is }) => was !== is)
    .map(({ field, was }) => ({ field, problem: `cannot change: the stored value is ${was}` }));
  if (!isAllowedTransition(stored.status, imported.status))
    faults.push({ field: 'status', problem: transitionProblem(stored.status, imported.status) });
  return faults;
}
