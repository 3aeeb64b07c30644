import type { Faulty, Line, RefusedLine } from '../../shared/record/faults.ts';
import { ID_RULE, type OrganizationId, parseId } from '../../shared/record/identifier.ts';
import { DISPLAY_NAME_RULE, parseDisplayName } from '../../shared/record/name.ts';
import {
  formatTimestamp,
  parseTimestamp,
  TIMESTAMP_RULE,
  type Timestamp,
} from '../../shared/record/timestamp.ts';
import type { Organization, StoredOrganization } from './organization.ts';
import { parseObject } from './parse-object.ts';
import { BEING_DELETED, duplicateOf } from './refusals.ts';

/** An organization as a line of a file gives it. */
interface GivenOrganization {
  readonly id: OrganizationId;
  readonly name: string;
  /** `null`: when the store creates it. */
  readonly createdAt: Timestamp | null;
}

export type OrganizationLine = Line<{ readonly organization: GivenOrganization }>;

const FIELDS = ['id', 'name', 'created_at'] as const;
/** A list of organizations has them, and can be imported. */
const STATES = ['disabled_at', 'deleted_at'] as const;
const STATE_RULE = 'must be null: "keyroster organizations disable" and "delete" set it';

export function parseOrganization(record: unknown): { organization: GivenOrganization } | Faulty {
  return parseObject(record, [...FIELDS, ...STATES], fields => {
    for (const state of STATES)
      fields.readOr(state, value => (value === null ? null : undefined), STATE_RULE, null);
    return {
      organization: {
        id: fields.read('id', parseId<OrganizationId>, ID_RULE),
        name: fields.read('name', parseDisplayName, DISPLAY_NAME_RULE),
        createdAt: fields.readOr('created_at', parseTimestamp, TIMESTAMP_RULE, null),
      },
    };
  });
}

/** What the lines do to a store. When one is refused, all are. */
export interface OrganizationChanges {
  readonly created: readonly Organization[];
  readonly renamed: readonly Pick<Organization, 'id' | 'name'>[];
  readonly unchanged: number;
  readonly refused: readonly RefusedLine[];
}

/** What the lines do to a store that has these of their organizations. */
export function changesOf(
  lines: readonly OrganizationLine[],
  stored: ReadonlyMap<OrganizationId, StoredOrganization>,
  now: Timestamp,
): OrganizationChanges {
  const created: Organization[] = [];
  const renamed: Pick<Organization, 'id' | 'name'>[] = [];
  const refused: RefusedLine[] = [];
  const lineOf = new Map<OrganizationId, number>();
  let unchanged = 0;
  for (const each of lines) {
    const { line } = each;
    if ('faults' in each) {
      refused.push(each);
      continue;
    }
    const { id, name, createdAt } = each.organization;
    const before = stored.get(id);
    const earlier = lineOf.get(id);
    lineOf.set(id, earlier ?? line);
    if (earlier !== undefined) refused.push({ line, faults: [duplicateOf(earlier)] });
    else if (!before) created.push({ id, name, createdAt: createdAt ?? now });
    else if (before.deletedAt !== null)
      refused.push({ line, faults: [{ field: 'id', problem: BEING_DELETED }] });
    else if (createdAt !== null && createdAt !== before.createdAt)
      refused.push({ line, faults: [creationFault(before)] });
    else if (before.name !== name) renamed.push({ id, name });
    else unchanged += 1;
  }
  return { created, renamed, unchanged, refused };
}

function creationFault({ createdAt }: StoredOrganization) {
  return {
    field: 'created_at',
    problem: `cannot change: the stored value is ${formatTimestamp(createdAt)}`,
  };
}

/** The IDs of the lines that have one. */
export function idsOf(lines: readonly OrganizationLine[]): OrganizationId[] {
  return lines.flatMap(line => ('organization' in line ? [line.organization.id] : []));
}
