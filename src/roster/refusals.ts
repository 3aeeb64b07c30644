/** What both stores refuse, with the same messages. Each store checks the conditions in its own way. */
import { isAllowedTransition, type Status, transitionProblem } from './api-key.ts';
import type { ApiKeyRecord } from './api-key-record.ts';
import { type Fault, Refused } from './errors.ts';
import type { ApiKeyId, OrganizationId } from './identifier.ts';

export function organizationExists(id: OrganizationId): Refused {
  return new Refused(`organization ${id} already exists: choose another ID`);
}

export function unknownOrganization(): Refused {
  return new Refused('there is no organization with this ID: "keyroster organizations list" shows them');
}

export function unknownAdminKey(): Refused {
  return new Refused('there is no admin key with this ID: "keyroster admin-keys list" shows them');
}

export function olderSchema(store: string): Refused {
  return new Refused(`database: the schema of ${store} is of an older release: run "keyroster migrate"`);
}

export function newerSchema(store: string, version: number, known: number): Refused {
  return new Refused(
    `database: the schema of ${store} is of a newer release (${version}, this one knows ${known}): update keyroster`,
  );
}

/** Throws one `Refused` that names every key that doesn't exist or whose status can't become this one. */
export function requireStatusChanges(
  statuses: ReadonlyMap<ApiKeyId, Status>,
  ids: ReadonlySet<ApiKeyId>,
  to: Status,
): void {
  const refusals = [...ids].flatMap(id => {
    const from = statuses.get(id);
    if (from === undefined) return [`${id}: no such API key in this organization`];
    return isAllowedTransition(from, to) ? [] : [`${id}: ${transitionProblem(from, to)}`];
  });
  if (refusals.length > 0) throw new Refused(`no status was changed: ${refusals.join('; ')}`);
}

/** The fault of a line whose ID an earlier line of the import has. */
export function duplicateOf(line: number): Fault {
  return { field: 'id', problem: `duplicate of line ${line}` };
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
