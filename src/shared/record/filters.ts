import {
  type CreatorId,
  OWNER_ID_PATTERN,
  OWNER_ID_RULE,
  parseOwnerId,
  type WorkspaceId,
} from './identifier.ts';
import { parseStatus, STATUS_RULE, STATUSES } from './status.ts';

/**
 * The definition of a filter, independent of the store and of how the filter is given. A filter is an equality, for which stores have
 * an index. What isn't one, such as a range, is a member of `ListQuery`, as `created` is.
 */
interface FilterDefinition {
  /** Its query parameter. */
  readonly parameter: string;
  /** Returns `undefined` when the text breaks the rule. */
  readonly parse: (text: string) => string | undefined;
  readonly rule: string;
  /** The values, as JSON Schema. */
  readonly schema:
    | { readonly type: 'string'; readonly enum: readonly string[] }
    | { readonly type: 'string'; readonly pattern: string };
  readonly description: string;
}

const id = { rule: OWNER_ID_RULE, schema: { type: 'string', pattern: OWNER_ID_PATTERN } } as const;

/**
 * All filters, declared once. The query parameters, the OpenAPI document and the cache key are derived from this table. The
 * columns of both stores and the flags of the command line are tied to it by `satisfies Record<FilterName, …>`: if one of
 * them lacks a filter, it doesn't compile.
 */
export const filters = {
  status: {
    parameter: 'status',
    parse: parseStatus,
    rule: STATUS_RULE,
    schema: { type: 'string', enum: STATUSES },
    description: 'Only keys with this status.',
  },
  workspaceId: {
    parameter: 'workspace_id',
    parse: parseOwnerId<WorkspaceId>,
    ...id,
    description: 'Only keys of this workspace.',
  },
  creatorId: {
    parameter: 'created_by_user_id',
    parse: parseOwnerId<CreatorId>,
    ...id,
    description: 'Only keys that this user or service account created.',
  },
} as const satisfies Record<string, FilterDefinition>;

export type FilterName = keyof typeof filters;
export const FILTER_NAMES = Object.keys(filters) as FilterName[];

/** The parsed value of a filter. */
export type FilterValue<Name extends FilterName> = NonNullable<ReturnType<(typeof filters)[Name]['parse']>>;

/** The filters of one request, combined with AND. An absent one doesn't restrict the list. */
export type Filter = { readonly [Name in FilterName]?: FilterValue<Name> };

/** The filters that are set, in the order of the table. */
export function activeFilters(filter: Filter): readonly FilterName[] {
  return FILTER_NAMES.filter(name => filter[name] !== undefined);
}
