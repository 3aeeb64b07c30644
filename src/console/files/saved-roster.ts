import { checkedHeader, csvRecord } from '../../admin/saved/csv-record.ts';
import { parseSavedRecord } from '../../admin/saved/saved-record.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { csvTextRows } from '../../shared/formats/csv-text.ts';
import { problemTexts, Refused } from '../../shared/record/faults.ts';

/** All of them are in memory until the roster of today is read: some 60 MB. */
export const MAX_SAVED = 100_000;

/** The records of a roster that was saved as JSON, by their IDs. Throws `Refused` for the first one that isn't right. */
export function recordsOfValues(values: readonly unknown[]): Map<string, ApiKeyRecord> {
  if (values.length > MAX_SAVED)
    throw new Refused(
      `has more than ${MAX_SAVED.toLocaleString('en')} keys: keyroster-admin diff compares them`,
    );
  const records = new Map<string, ApiKeyRecord>();
  for (const [index, value] of values.entries()) {
    const parsed = parseSavedRecord(value);
    if ('faults' in parsed)
      throw new Refused(`record ${index + 1}: ${problemTexts(parsed.faults).join('; ')}`);
    const { id } = parsed.record;
    if (records.has(id)) throw new Refused(`${id} is there more than once: leave one`);
    records.set(id, parsed.record);
  }
  return records;
}

/** The same of CSV. */
export function recordsOfCsv(text: string): Map<string, ApiKeyRecord> {
  const [header, ...rows] = csvTextRows(text.replace(/^\uFEFF/, '')) ?? [];
  if (header === undefined) throw new Refused('is not CSV: a quote is never closed');
  const columns = checkedHeader(header.cells);
  const filled = rows.filter(({ cells }) => cells.length > 1 || cells[0] !== '');
  const wrong = filled.find(({ cells }) => cells.length !== columns.length);
  if (wrong) throw new Refused(`line ${wrong.line}: must have as many columns as the header`);
  return recordsOfValues(filled.map(({ cells }) => csvRecord(columns, cells)));
}
