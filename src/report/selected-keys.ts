import type { ApiKeyRecord } from '../client/client.ts';
import { lacks } from '../formats/readable-record.ts';
import type { CsvColumn } from '../formats/render-csv.ts';
import type { CreatorType, Status } from '../roster/api-key.ts';
import { DEFAULT_WORKSPACE } from './sections.ts';

/** The keys that a policy is for: those that have one of the values of each member. */
export interface Selection {
  readonly status: readonly Status[];
  /** `null`: the default workspace. */
  readonly workspace_id?: readonly (string | null)[] | undefined;
  readonly creator_type?: readonly CreatorType[] | undefined;
}

/** A key that is inactive or archived gives no access. */
export const ACTIVE: Selection = { status: ['active'] };

export function isSelected(
  selection: Partial<Selection>,
  { status, workspace_id, created_by }: ApiKeyRecord,
): boolean {
  return (
    (selection.status?.some(each => each === status) ?? true) &&
    (selection.workspace_id?.includes(workspace_id) ?? true) &&
    (selection.creator_type?.some(each => each === created_by.type) ?? true)
  );
}

/** The field that the key lacks, for which nobody knows whether it is selected; `undefined`: it's known. */
export function unknownSelection(selection: Selection, key: ApiKeyRecord): CsvColumn | undefined {
  const lacked = (Object.keys(selection) as (keyof Selection)[]).filter(
    member => selection[member] !== undefined && lacks(key, FIELDS[member]),
  );
  const known = Object.fromEntries(lacked.map(member => [member, undefined]));
  return lacked[0] && isSelected({ ...selection, ...known }, key) ? FIELDS[lacked[0]] : undefined;
}

const FIELDS = {
  status: 'status',
  workspace_id: 'workspace_id',
  creator_type: 'created_by.type',
} as const satisfies Record<keyof Selection, CsvColumn>;

/** More than these would hide the rule behind them. */
const MAX_NAMED = 3;
const creatorWords = { user: 'a user', service_account: 'a service account' } satisfies Record<
  CreatorType,
  string
>;

/** Such as `active and in wrkspc_a or wrkspc_b`. */
export function selectionWords({ status, workspace_id, creator_type }: Selection): string {
  const words = [status.join(' or ')];
  if (workspace_id)
    words.push(
      `in ${oneOf(
        workspace_id.map(id => id ?? DEFAULT_WORKSPACE),
        'workspaces',
      )}`,
    );
  if (creator_type) words.push(`created by ${creator_type.map(type => creatorWords[type]).join(' or ')}`);
  return words.join(' and ');
}

export function oneOf(names: readonly string[], what: string): string {
  return names.length > MAX_NAMED ? `one of ${names.length} ${what}` : names.join(' or ');
}
