import { type ApiKeyRecord, KeyrosterError } from '../../client/client.ts';
import type { CsvColumn } from '../../shared/formats/render-csv.ts';

const isText = (value: unknown) => typeof value === 'string';

type Fields = { readonly [name: string]: unknown };
type Received = Fields & { readonly created_by?: Fields | null };

/** What a record has to have to be shown, by its columns. Another service may not keep to docs/api.md#the-record. */
const checks = {
  id: record => isText(record.id),
  name: record => isText(record.name),
  created_at: record => isText(record.created_at),
  'created_by.id': record => isText(record.created_by?.id),
  'created_by.type': record => isText(record.created_by?.type),
  partial_key_hint: record => isText(record.partial_key_hint),
  status: record => isText(record.status), // a newer service has others
  workspace_id: record => record.workspace_id === null || isText(record.workspace_id),
} as const satisfies Readonly<Record<CsvColumn, (record: Received) => boolean>>;

const columns = Object.entries(checks) as [CsvColumn, (record: object) => boolean][];

/** The columns that the record lacks, or has no text for. */
export function unreadableFields(record: object): readonly CsvColumn[] {
  return columns.flatMap(([column, isReadable]) => (isReadable(record) ? [] : column));
}

/** The records, once it is sure that they can be shown. Throws a `KeyrosterError` of type `unexpected_answer_error`. */
export function checkedRecords<Records extends readonly ApiKeyRecord[]>(records: Records): Records {
  for (const record of records) {
    const field = columns.find(([, isReadable]) => !isReadable(record))?.[0] ?? typeField(record);
    if (field === undefined) continue;
    const message = `the service lists ${record.id} with a ${field} that docs/api.md does not allow`;
    throw new KeyrosterError({ type: 'unexpected_answer_error', message });
  }
  return records;
}

const typeField = ({ type }: ApiKeyRecord) => (isText(type) ? undefined : 'type');
