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
export const checkedRecords = <Records extends readonly ApiKeyRecord[]>(records: Records) =>
  checked(records, isReadable);

/** The same of any service, which may tell less. */
export const listedKeys = (records: readonly ListedKey[]) => checked(records, isListable);

function checked<Records extends readonly ListedKey[]>(records: Records, mayBe: typeof isListable): Records {
  for (const record of records) {
    const [field] = columns.find(([column, read]) => !mayBe(column, read(record))) ?? [];
    if (field === undefined) continue;
    const message = `the service lists ${record.id} with a ${field} that docs/api.md does not allow`;
    throw new KeyrosterError({ type: 'unexpected_answer_error', message });
  }
  return records;
}

/** With each field that any of them has; `undefined`: there is none. */
export const sampleOf = (keys: readonly ListedKey[]): ListedKey | undefined =>
  keys[0] && Object.assign({}, ...keys);

/** With its workspace where CSV has it. */
export const csvRecord = (key: ListedKey): ListedKey & { readonly workspace_id?: unknown } =>
  'workspace_id' in key ? key : { ...key, workspace_id: workspaceOf(key) };
