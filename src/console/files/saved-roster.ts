import { csvReader } from '../../admin/saved/csv-record.ts';
import { parseSavedRecord } from '../../admin/saved/saved-record.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { csvTextRows } from '../../shared/formats/csv-text.ts';
import { problemTexts, Refused } from '../../shared/record/faults.ts';

/** All of them are in memory until the roster of today is read: some 60 MB. */
export const MAX_SAVED = 100_000;

/** The records of a roster that was saved as JSON, by their IDs. Throws `Refused` for the first one that isn't right. */
export function recordsOfValues(values: readonly unknown[]): Map<string, ApiKeyRecord> {
  return recordsById(values, parseSavedRecord, index => `record ${index + 1}`);
}

/** The same of CSV. */
export function recordsOfCsv(text: string): Map<string, ApiKeyRecord> {
  const [header, ...rows] = csvTextRows(text.replace(/^\uFEFF/, ''));
  const read = csvReader();
  read(header?.cells ?? []);
  return recordsById(
    rows,
    ({ cells }) => read(cells),
    (_, { line }) => `line ${line}`,
  );
}

function recordsById<Item>(
  items: readonly Item[],
  parse: (item: Item) => ReturnType<typeof parseSavedRecord> | null,
  placeOf: (index: number, item: Item) => string,
): Map<string, ApiKeyRecord> {
  if (items.length > MAX_SAVED)
    throw new Refused(
      `has more than ${MAX_SAVED.toLocaleString('en')} keys: keyroster-admin diff compares them`,
    );
  const records = new Map<string, ApiKeyRecord>();
  for (const [index, item] of items.entries()) {
    const parsed = parse(item);
    if (!parsed) continue;
    if ('faults' in parsed)
      throw new Refused(`${placeOf(index, item)}: ${problemTexts(parsed.faults).join('; ')}`);
    const { id } = parsed.record;
    if (records.has(id)) throw new Refused(`${id} is there more than once: leave one`);
    records.set(id, parsed.record);
  }
  return records;
}
