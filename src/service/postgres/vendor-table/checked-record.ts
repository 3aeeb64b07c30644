import { parseKeyId } from '../../../shared/record/identifier.ts';
import { parsedJson } from '../../../shared/record/parsed-json.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import { parseApiKey } from '../../roster/parse-api-key.ts';
import { RECORD_PARTS, VALID_RECORD } from '../../roster/record-text.ts';
import { columnRule, recordWith, uncheckedValue } from '../declared-fields.ts';

/**
 * The record of a row. That of our own table is checked by its constraints. One of a vendor's own table begins with a space, and is
 * checked here. Throws an `Error` that names the API key and the field, since a wrong record must not be listed, nor left out.
 */
export function checkedRecord(key: string, record: string): string {
  if (record.charCodeAt(0) === 0x7b) return record;
  if (VALID_RECORD.test(record)) return record.slice(1);
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
  const [field, [rule]] = RECORD_PARTS.find(([, [, pattern]]) => {
    const [text] = new RegExp(`^${pattern}`).exec(rest) ?? [];
    rest = rest.slice(text?.length ?? 0);
    return text === undefined;
  }) ?? ['the record', ['is not valid']];
  return `${field}: ${rule}`;
}
