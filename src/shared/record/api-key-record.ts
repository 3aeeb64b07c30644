import type { Status } from './status.ts';

/** An API key in JSON, as the API returns it and an import reads it (docs/api.md#the-record). */
export interface ApiKeyRecord {
  readonly id: string;
  readonly type: 'api_key';
  readonly name: string;
  /** RFC 3339, UTC, six decimals. */
  readonly created_at: string;
  readonly created_by: CreatorRecord;
  readonly partial_key_hint: string;
  readonly status: Status;
  readonly workspace_id: string | null;
}

export interface CreatorRecord {
  readonly id: string;
  readonly type: CreatorType;
}

/** The fields that tell something: `type` is always the same. */
export type RecordField = Exclude<keyof ApiKeyRecord, 'type'>;

/** The same with each field of the creator, as `created_by.id`. */
export type FlatField<Separator extends string> =
  | Exclude<RecordField, 'created_by'>
  | `created_by${Separator}${keyof CreatorRecord}`;

/** All fields of a record. */
export const RECORD_FIELDS = Object.keys({
  id: true,
  type: true,
  name: true,
  created_at: true,
  created_by: true,
  partial_key_hint: true,
  status: true,
  workspace_id: true,
} satisfies Record<keyof ApiKeyRecord, true>);

export const CREATOR_FIELDS = Object.keys({
  id: true,
  type: true,
} satisfies Record<keyof CreatorRecord, true>);

export const CREATOR_TYPES = ['user', 'service_account'] as const;
export type CreatorType = (typeof CREATOR_TYPES)[number];
