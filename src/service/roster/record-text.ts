/** The text of a record as it is rendered, by one regular expression: to parse each record would take half of the time of a page. */
import { CREATOR_TYPES, type FlatField } from '../../shared/record/api-key-record.ts';
import { KEY_ID, KEY_ID_RULE, OWNER_ID, OWNER_ID_RULE } from '../../shared/record/identifier.ts';
import { NAME_RULE } from '../../shared/record/name.ts';
import { PARTIAL_KEY_HINT_PATTERN, PARTIAL_KEY_HINT_RULE } from '../../shared/record/partial-key-hint.ts';
import { STATUS_RULE, STATUSES } from '../../shared/record/status.ts';

const keyId = `"(${KEY_ID})"`;
const ownerId = `"(${OWNER_ID})"`;
const hint = `"(${PARTIAL_KEY_HINT_PATTERN.slice(1, -1)})"`;
const name = String.raw`"([^"\\]*(?:\\.[^"\\]*)*)"`;
const time = String.raw`"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)"`;
const oneOf = (values: readonly string[]) => `"(${values.join('|')})"`;

const TYPE_RULE = `must be one of ${CREATOR_TYPES.join(', ')}`;

/**
 * The text of a valid record in parts: each has the value of a field as its group, and all up to the next value. One of a vendor's own
 * table begins with a space.
 */
export const RECORD_PARTS = Object.entries({
  id: [KEY_ID_RULE, ` ?\\{"id":${keyId},"type":"api_key","name":`],
  name: [NAME_RULE, `${name},"created_at":`],
  created_at: ['must be a time of the years 1 to 9999', `${time},"created_by":\\{"id":`],
  'created_by.id': [OWNER_ID_RULE, `${ownerId},"type":`],
  'created_by.type': [TYPE_RULE, `${oneOf(CREATOR_TYPES)}\\},"partial_key_hint":`],
  partial_key_hint: [PARTIAL_KEY_HINT_RULE, `${hint},"status":`],
  status: [STATUS_RULE, `${oneOf(STATUSES)},"workspace_id":`],
  workspace_id: [`${OWNER_ID_RULE}, or null`, `(?:null|${ownerId})\\}$`],
} satisfies Record<FlatField<'.'>, readonly [rule: string, pattern: string]>);

/** Of one without declared fields. A name may have what JSON refuses, and a time a day that there isn't. */
export const VALID_RECORD = new RegExp(`^${RECORD_PARTS.map(([, [, pattern]]) => pattern).join('')}`);
