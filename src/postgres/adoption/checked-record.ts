import { CREATOR_TYPES, STATUSES } from '../../roster/api-key.ts';
import { ID_PATTERN, parseId } from '../../roster/identifier.ts';
import { parseApiKey } from '../../roster/parse-api-key.ts';
import { PARTIAL_KEY_HINT_PATTERN } from '../../roster/partial-key-hint.ts';

const id = `"${ID_PATTERN.slice(1, -1)}"`;
const hint = `"${PARTIAL_KEY_HINT_PATTERN.slice(1, -1)}"`;
const name = String.raw`"(?:[^"\\]|\\.)*"`;
const time = String.raw`"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"`;
const oneOf = (values: readonly string[]) => `"(?:${values.join('|')})"`;

/** The text of a valid record. One expression: to parse each would take half of the time of a page. */
const validRecord = new RegExp(
  `^ \\{"id":${id},"type":"api_key","name":${name},"created_at":${time},` +
    `"created_by":\\{"id":${id},"type":${oneOf(CREATOR_TYPES)}\\},"partial_key_hint":${hint},` +
    `"status":${oneOf(STATUSES)},"workspace_id":(?:null|${id})\\}$`,
);

/**
 * The record of a row. That of our own table is checked by its constraints. One of a vendor's own table begins with a space, and is
 * checked here. Throws an `Error` that names the API key and the fields, since a wrong record must not be listed, nor left out.
 */
export function checkedRecord(key: string, record: string): string {
  if (record.charCodeAt(0) === 0x7b) return record;
  if (validRecord.test(record)) return record.slice(1);
  const named = parseId(key) === undefined ? 'an API key whose ID breaks its rule' : `the API key ${key}`;
  throw new Error(
    `the vendor's table: ${named}: ${problemOf(record)}; "keyroster check" finds all such rows`,
  );
}

function problemOf(record: string): string {
  const parsed = parseApiKey(parsedJson(record));
  if ('key' in parsed)
    return 'the view was made by another release: run "keyroster adopt --mapping FILE --apply"';
  return parsed.faults.map(({ field, problem }) => (field ? `${field}: ${problem}` : problem)).join('; ');
}

/** A text that is no JSON has a quote, a backslash or a control character where an ID or a hint can't have one. */
function parsedJson(record: string): unknown {
  try {
    return JSON.parse(record);
  } catch {
    return null;
  }
}
