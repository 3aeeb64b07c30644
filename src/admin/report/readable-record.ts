import { type ApiKeyRecord, KeyrosterError } from '../../client/client.ts';
import { type ListedKey, workspaceOf } from '../../client/listed-key.ts';
import type { CsvColumn } from '../../shared/formats/render-csv.ts';

type Fields = { readonly [name: string]: unknown };
type Received = Fields & { readonly created_by?: Fields | null };

/** What a record is shown by. A service may leave out all but the first two. */
const values = {
  id: record => record.id,
  name: record => record.name,
  created_at: record => record.created_at,
  'created_by.id': record => record.created_by?.id,
  'created_by.type': record => record.created_by?.type,
  partial_key_hint: record => record.partial_key_hint,
  status: record => record.status, // a newer service has others
  workspace_id: record => record.workspace_id,
} as const satisfies Readonly<Record<CsvColumn, (record: Received) => unknown>>;

const columns = Object.entries(values) as [CsvColumn, (record: object) => unknown][];

const isReadable = (column: CsvColumn, value: unknown) =>
  typeof value === 'string' || (column === 'workspace_id' && value === null);
const isListable = (column: CsvColumn, value: unknown) =>
  typeof value === 'string' || ((value ?? null) === null && column !== 'id' && column !== 'name');

/** The columns that no service lists so: what is there is text. */
export function unlistableFields(record: object): readonly CsvColumn[] {
  return columns.filter(([column, read]) => !isListable(column, read(record))).map(([column]) => column);
}

/** The records of Keyroster, once it is sure that they can be shown. Throws a `KeyrosterError` of type `unexpected_answer_error`. */
export function checkedRecords<Records extends readonly ApiKeyRecord[]>(records: Records): Records {
  for (const record of records) {
    const unreadable = columns.find(([column, read]) => !isReadable(column, read(record)));
    refuse(record, unreadable?.[0] ?? (typeof record.type === 'string' ? undefined : 'type'));
  }
  return records;
}

/** The same of any service, which may tell less. */
export function listedKeys(records: readonly ListedKey[]): readonly ListedKey[] {
  for (const record of records)
    refuse(record, columns.find(([column, read]) => !isListable(column, read(record)))?.[0]);
  return records;
}

function refuse({ id }: ListedKey, field: string | undefined): void {
  if (field === undefined) return;
  const message = `the service lists ${id} with a ${field} that docs/api.md does not allow`;
  throw new KeyrosterError({ type: 'unexpected_answer_error', message });
}

/** With each field that any of them has; `undefined`: there is none. */
export const sampleOf = (keys: readonly ListedKey[]): ListedKey | undefined =>
  keys[0] && Object.assign({}, ...keys);

/** With its workspace where CSV has it. */
export const csvRecord = (key: ListedKey): ListedKey & { readonly workspace_id?: unknown } =>
  'workspace_id' in key ? key : { ...key, workspace_id: workspaceOf(key) };
