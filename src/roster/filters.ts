import { parseStatus, STATUS_RULE, STATUSES } from './api-key.ts';
import { type CreatorId, ID_PATTERN, ID_RULE, parseId, type WorkspaceId } from './identifier.ts';

/** What a filter is, whoever reads it and whatever serves it. */
interface FilterDefinition {
  /** The query parameter that gives it. */
  readonly parameter: string;
  /** `undefined`: the text breaks the rule. */
  readonly parse: (text: string) => string | undefined;
  readonly rule: string;
  /** The values, as JSON Schema. */
  readonly schema:
    | { readonly enum: readonly string[] }
    | { readonly type: 'string'; readonly pattern: string };
  readonly description: string;
}

const id = { rule: ID_RULE, schema: { type: 'string', pattern: ID_PATTERN } } as const;

/**
 * The filters of the list, declared once. The query parameters, the OpenAPI document and the cache's key are derived from this
 * table. The columns of both stores and the command line's flags are tied to it by `satisfies Record<FilterName, …>`, so a filter
 * that one of them lacks doesn't compile.
 */
export const filters = {
  status: {
    parameter: 'status',
    parse: parseStatus,
    rule: STATUS_RULE,
    schema: { enum: STATUSES },
    description: 'Only keys with this status.',
  },
  workspaceId: {
    parameter: 'workspace_id',
    parse: parseId<WorkspaceId>,
    ...id,
    description: 'Only keys of this workspace.',
  },
  creatorId: {
    parameter: 'created_by_user_id',
    parse: parseId<CreatorId>,
    ...id,
    description: 'Only keys that this user or service account created.',
  },
} as const satisfies Record<string, FilterDefinition>;

export type FilterName = keyof typeof filters;
export const FILTER_NAMES = Object.keys(filters) as FilterName[];

/** The value that a filter restricts to. */
export type FilterValue<Name extends FilterName> = NonNullable<ReturnType<(typeof filters)[Name]['parse']>>;

/** The filters of one request. Those that are absent don't restrict; the others combine with AND. */
export type Filter = { readonly [Name in FilterName]?: FilterValue<Name> };

/** The filters that the request has, in the order of the table. */
export function namesOf(filter: Filter): readonly FilterName[] {
  return FILTER_NAMES.filter(name => filter[name] !== undefined);
}
