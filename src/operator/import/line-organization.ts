import type { ImportLine } from '../../service/roster/writes/imports.ts';
import type { Fault, Faulty } from '../../shared/record/faults.ts';
import { isObject } from '../../shared/record/fields.ts';
import { type OrganizationId, OWNER_ID_RULE, parseOwnerId } from '../../shared/record/identifier.ts';
import { containsAdminKey, NO_ADMIN_KEY_RULE } from '../../shared/record/redact-admin-keys.ts';

/** The organization of all lines, or the field in which each names its own. */
export type LineOrganization = { readonly id: OrganizationId } | { readonly field: string };

export type ValidLine = Omit<Extract<ImportLine, { key: unknown }>, 'line'>;

/** An `ImportLine` without what the file knows of it. */
export type ParsedLine = ValidLine | FaultyLine;

type FaultyLine = { readonly organizationId: OrganizationId | null } & Faulty;

/** Takes the organization out of the record, before that is parsed. */
export function parseLineOf<Parsed extends { readonly key: object }>(
  organization: LineOrganization,
  record: unknown,
  parse: (record: unknown) => Parsed | Faulty,
): ({ readonly organizationId: OrganizationId } & Parsed) | FaultyLine {
  if ('id' in organization) return { organizationId: organization.id, ...parse(record) };
  if (!isObject(record)) return refusedLine(organization, [{ field: null, problem: 'must be an object' }]);
  const { [organization.field]: id, ...rest } = record;
  const problem = organizationProblem(id);
  const organizationId = problem === null ? (parseOwnerId<OrganizationId>(id) ?? null) : null;
  const parsed = parse(rest);
  if (organizationId !== null) return { organizationId, ...parsed };
  const faults = [{ field: organization.field, problem: problem ?? OWNER_ID_RULE }];
  return { organizationId, faults: 'key' in parsed ? faults : [...faults, ...parsed.faults] };
}

/** A secret in the place of an ID would be repeated in messages, and stored where an organization is created by it. */
function organizationProblem(id: unknown): string | null {
  if (id === undefined) return 'is required';
  return typeof id === 'string' && containsAdminKey(id) ? NO_ADMIN_KEY_RULE : null;
}

/** A line whose record can't be read. */
export function refusedLine(organization: LineOrganization, faults: readonly Fault[]): FaultyLine {
  return { organizationId: 'id' in organization ? organization.id : null, faults };
}
