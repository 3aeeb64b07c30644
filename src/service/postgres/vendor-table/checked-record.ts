import { CREATOR_TYPES, type FlatField } from '../../../shared/record/api-key-record.ts';
import {
  KEY_ID,
  KEY_ID_RULE,
  OWNER_ID,
  OWNER_ID_RULE,
  parseKeyId,
} from '../../../shared/record/identifier.ts';
import { NAME_RULE } from '../../../shared/record/name.ts';
import { parsedJson } from '../../../shared/record/parsed-json.ts';
import { PARTIAL_KEY_HINT_PATTERN, PARTIAL_KEY_HINT_RULE } from '../../../shared/record/partial-key-hint.ts';
import { STATUS_RULE, STATUSES } from '../../../shared/record/status.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import { parseApiKey } from '../../roster/parse-api-key.ts';
import { columnRule, recordWith, uncheckedValue } from '../declared-fields.ts';

const keyId = `"${KEY_ID}"`;
const ownerId = `"${OWNER_ID}"`;
const hint = `"${PARTIAL_KEY_HINT_PATTERN.slice(1, -1)}"`;
const name = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const time = String.raw`"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"`;
const oneOf = (values: readonly string[]) => `"(?:${values.join('|')})"`;

const TYPE_RULE = `must be one of ${CREATOR_TYPES.join(', ')}`;

/** The text of a valid record in parts: each has the value of a field, and all up to the next value. */
const parts = Object.entries({
  id: [KEY_ID_RULE, ` \\{"id":${keyId},"type":"api_key","name":`],
  name: [NAME_RULE, `${name},"created_at":`],
  created_at: ['must be a time of the years 1 to 9999', `${time},"created_by":\\{"id":`],
  'created_by.id': [OWNER_ID_RULE, `${ownerId},"type":`],
  'created_by.type': [TYPE_RULE, `${oneOf(CREATOR_TYPES)}\\},"partial_key_hint":`],
  partial_key_hint: [PARTIAL_KEY_HINT_RULE, `${hint},"status":`],
  status: [STATUS_RULE, `${oneOf(STATUSES)},"workspace_id":`],
  workspace_id: [`${OWNER_ID_RULE}, or null`, `(?:null|${ownerId})\\}$`],
} satisfies Record<FlatField<'.'>, readonly [rule: string, pattern: string]>);

/** One expression: to parse each record would take half of the time of a page. */
const validRecord = new RegExp(`^${parts.map(([, [, pattern]]) => pattern).join('')}`);

/**
 * The record of a row. That of our own table is checked by its constraints. One of a vendor's own table begins with a space, and is
 * checked here. Throws an `Error` that names the API key and the field, since a wrong record must not be listed, nor left out.
 */
export function checkedRecord(key: string, record: string): string {
  if (record.charCodeAt(0) === 0x7b) return record;
  if (validRecord.test(record)) return record.slice(1);
  throw wrongRow(key, problemOf(record));
}

/** The same with its declared fields, of which these are the texts of the columns. */
export function checkedRecordWith(
  key: string,
  record: string,
  fields: readonly DeclaredField[],
  texts: readonly (string | null)[],
): string {
  const checked = checkedRecord(key, record);
  if (checked === record) return recordWith(record, fields, texts);
  return recordWith(checked, fields, texts, (field, text) => {
    const value = uncheckedValue(field, text);
    if (value === undefined) throw wrongRow(key, `${field.name}: ${columnRule(field)}`);
    return value;
  });
}

function wrongRow(key: string, problem: string): Error {
  const named = parseKeyId(key) === undefined ? 'an API key whose ID breaks its rule' : `the API key ${key}`;
  return new Error(`the vendor's table: ${named}: ${problem}; "keyroster check" finds all such rows`);
}

/**
 * The first field that is wrong. Its rule is looked for in the text and not in the JSON object: with a quote in a value that one has
 * any fields, and their names are a part of the value.
 */
function problemOf(record: string): string {
  // A text that is no JSON has a quote, a backslash or a control character where an ID or a hint can't have one.
  if ('key' in parseApiKey(parsedJson(record)))
    return 'the view was made by another release: run "keyroster adopt --mapping FILE --apply"';
  let rest = record;
  const [field, [rule]] = parts.find(([, [, pattern]]) => {
    const [text] = new RegExp(`^${pattern}`).exec(rest) ?? [];
    rest = rest.slice(text?.length ?? 0);
    return text === undefined;
  }) ?? ['the record', ['is not valid']];
  return `${field}: ${rule}`;
}
