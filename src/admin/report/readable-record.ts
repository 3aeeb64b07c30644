import { type ApiKeyRecord, KeyrosterError } from '../../client/client.ts';
import { type ListedKey, workspaceOf } from '../../client/listed-key.ts';
import { CSV_COLUMNS, type CsvColumn } from '../../shared/formats/render-csv.ts';

/** What a record is shown by. A service may leave out all but the first two. */
const columns = CSV_COLUMNS.map(column => {
  const [name = '', ofCreator] = column.split('.');
  return { column, name, ofCreator };
});

type Fields = Readonly<Record<string, unknown>>;

const isReadable = (column: CsvColumn, value: unknown) =>
  typeof value === 'string' || (column === 'workspace_id' && value === null);
const isListable = (column: CsvColumn, value: unknown) =>
  typeof value === 'string' || ((value ?? null) === null && column !== 'id' && column !== 'name');

function wrongFields(record: object, mayBe: typeof isListable): readonly CsvColumn[] {
  const wrong: CsvColumn[] = [];
  for (const { column, name, ofCreator } of columns) {
    const value = (record as Fields)[name];
    if (!mayBe(column, ofCreator === undefined ? value : Object(value)[ofCreator])) wrong.push(column);
  }
  return wrong;
}

/** The columns that no service lists so: what is there is text. */
export const unlistableFields = (record: object) => wrongFields(record, isListable);

/** The records of Keyroster, once it is sure that they can be shown. Throws a `KeyrosterError` of type `unexpected_answer_error`. */
export const checkedRecords = <Records extends readonly ApiKeyRecord[]>(records: Records) =>
  checked(records, isReadable);

/** The same of any service, which may tell less. */
export const listedKeys = (records: readonly ListedKey[]) => checked(records, isListable);

function checked<Records extends readonly ListedKey[]>(records: Records, mayBe: typeof isListable): Records {
  for (const record of records) {
    const [field] = wrongFields(record, mayBe);
    if (field === undefined) continue;
    const message = `the service lists ${record.id} with a ${field} that docs/api.md does not allow`;
    throw new KeyrosterError({ type: 'unexpected_answer_error', message });
  }
  return records;
}

/** With each field that any of them has; `undefined`: there is none. */
export const sampleOf = (keys: readonly ListedKey[]): ListedKey | undefined =>
  keys[0] && keys.reduce<ListedKey>((all, key) => Object.assign(all, key), { ...keys[0] });

/** Those that the sample, of earlier keys, doesn't have. */
export function* fieldsBeyond(sample: object, keys: readonly ListedKey[]): Generator<string> {
  for (const key of keys) for (const name in key) if (!(name in sample)) yield name;
}

/** With its workspace where CSV has it. */
export const csvRecord = (key: ListedKey): ListedKey & { readonly workspace_id?: unknown } =>
  key.workspace_id === workspaceOf(key) ? key : { ...key, workspace_id: workspaceOf(key) };
