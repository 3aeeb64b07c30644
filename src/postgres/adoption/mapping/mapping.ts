import { CREATOR_TYPES, parseStatus, STATUSES, type Status } from '../../../roster/api-key.ts';
import type { FilterName } from '../../../roster/filters.ts';
import { ID_RULE, parseId } from '../../../roster/identifier.ts';
import { PARTIAL_KEY_HINT_RULE, parsePartialKeyHint } from '../../../roster/partial-key-hint.ts';
import type { TableName } from './table-name.ts';

/** What a vendor's own table says of an API key, and where: the file `keyroster.table.json` (docs/your-table.md#2-the-mapping). */
export interface Mapping {
  readonly table: TableName;
  readonly fields: Readonly<Record<FieldName, FieldSource>>;
  /** The filters that are served. Their combinations get an index each. */
  readonly filters: readonly FilterName[];
}

/** Where the value of a field comes from. */
export type FieldSource =
  | ({ readonly column: string; readonly values?: StatusValues; readonly unit?: TimeUnit } & Unlisted)
  | ({ readonly sql: string } & Unlisted)
  | { readonly constant: string | null };

interface Unlisted {
  /** Of the organization: rows of NULL are meant to be in no list, so they aren't wrong. */
  readonly unlisted?: true;
}

/** Whether rows without an organization are meant. */
export function hasUnlistedRows({ fields }: Pick<Mapping, 'fields'>): boolean {
  const source = fields.organization_id;
  return 'unlisted' in source && source.unlisted === true;
}

/** The values of the column that mean each status. */
export type StatusValues = { readonly [Name in Status]?: readonly StatusValue[] };
export type StatusValue = string | number | boolean | null;

/** What a number counts since 1970, and how many of them are a second. */
export const TIME_UNITS = { s: 1, ms: 1_000, us: 1_000_000, ns: 1_000_000_000 } as const;
export type TimeUnit = keyof typeof TIME_UNITS;

export interface FieldRule {
  /** Returns `undefined` for a constant that this field can't have; absent: it can't be constant at all. */
  readonly constant?: (value: unknown) => string | null | undefined;
  readonly constantRule?: string;
  /** What else there may be beside `column`. */
  readonly beside?: 'values' | 'unit';
  /** Whether NULL may be meant. */
  readonly mayBeUnlisted?: true;
}

export const parseText = (value: unknown) => (typeof value === 'string' ? value : undefined);
const id = { constant: parseId, constantRule: ID_RULE } as const;

/** The fields of an API key, in the order of the record. */
export const FIELDS = {
  organization_id: { ...id, mayBeUnlisted: true },
  id: {},
  name: { constant: parseText, constantRule: 'must be text' },
  created_at: { beside: 'unit' },
  created_by_id: id,
  created_by_type: {
    constant: value => CREATOR_TYPES.find(type => type === value),
    constantRule: `must be one of ${CREATOR_TYPES.join(', ')}`,
  },
  partial_key_hint: { constant: parsePartialKeyHint, constantRule: PARTIAL_KEY_HINT_RULE },
  status: {
    constant: parseStatus,
    constantRule: `must be one of ${STATUSES.join(', ')}`,
    beside: 'values',
  },
  workspace_id: {
    constant: value => (value === null ? null : parseId(value)),
    constantRule: `${ID_RULE}, or null`,
  },
} as const satisfies Record<string, FieldRule>;

export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];
