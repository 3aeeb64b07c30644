/** What both stores refuse, with the same messages. Each store checks the conditions in its own way. */
import { isAllowedTransition, type Status, transitionProblem } from './api-key.ts';
import type { ApiKeyRecord } from './api-key-record.ts';
import { type Fault, Refused, type RefusedFault } from './errors.ts';
import type { ApiKeyId, OrganizationId } from './identifier.ts';

export function organizationExists(id: OrganizationId): Refused {
  const fault = { field: 'id', problem: 'already exists: choose another ID', index: null, id };
  return new Refused(`organization ${id} ${fault.problem}`, { faults: [fault] });
}

export function unknownOrganization(): Refused {
  return unknownId(
    'organization_id',
    'there is no organization with this ID: "keyroster organizations list" shows them',
  );
}

export function unknownAdminKey(): Refused {
  return unknownId('id', 'there is no admin key with this ID: "keyroster admin-keys list" shows them');
}

function unknownId(field: string, problem: string): Refused {
  return new Refused(problem, { faults: [{ field, problem, index: null, id: null }] });
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
  const refusals = faults.map(({ id, problem }) => `${id}: ${problem}`);
  if (refusals.length > 0) throw new Refused(`no status was changed: ${refusals.join('; ')}`, { faults });
}

/** Further faults are only counted, so that a batch of wrong records gives a message that can be read. */
const MAX_FAULTS_IN_MESSAGE = 20;

/** The refusal of an issuer's write. Its `faults` are complete. */
export function refusedWrite(faults: readonly RefusedFault[]): Refused {
  const named = faults.slice(0, MAX_FAULTS_IN_MESSAGE).map(({ index, field, problem }) => {
    const key = index === null ? '' : `key ${index}: `;
    return key + (field === null ? problem : `${field}: ${problem}`);
  });
  const more = faults.length - named.length;
  const message = `nothing was changed: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return new Refused(message, { faults });
}

/** Each fault as a text, such as an import prints. */
export function problemTexts(faults: readonly Fault[]): string[] {
  return faults.map(({ field, problem }) => (field === null ? problem : `${field}: ${problem}`));
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
