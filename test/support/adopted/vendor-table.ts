/** A vendor's own table of API keys, which the tests adopt, and what its vendor does to it: with SQL, past Keyroster. */
import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { timestamptz } from '../../../src/service/postgres/timestamp.ts';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';

export interface VendorTable {
  /** In the names of tests. */
  readonly name: string;
  /** Creates the table in a database, as the vendor's migration does. */
  create(url: string): Promise<void>;
  /** What `keyroster.table.json` has. */
  readonly mapping: MappingFile;
  readonly primaryKey: readonly string[];
  /** The columns that tell an API key. Those that are left out have a default. */
  row(organization: string, key: ApiKey): Row;
  /** An ID as the vendor gives it to a new API key. */
  newId(): string;
  /** Columns of text that no field is mapped to, such as the key's hash. What they have must never leave the table. */
  readonly unmapped: readonly string[];
  /** The smallest step between two creation times that the table can keep, in microseconds. */
  readonly tick: bigint;
}

export interface MappingFile {
  readonly table: string;
  readonly fields: Readonly<Record<string, FieldSource>>;
  readonly filters: readonly string[];
}

type FieldSource = { readonly note?: string } & (
  | { readonly joins: readonly object[]; readonly unlisted?: true }
  | { readonly column: string; readonly values?: Readonly<Record<string, readonly unknown[]>> }
  | { readonly sql: string }
  | { readonly constant: string | null }
);

export type Row = Readonly<Record<string, unknown>>;

/** Inserts these API keys, or updates those that are there. */
export async function putKeys(
  client: ClientBase,
  { mapping, primaryKey, row }: VendorTable,
  organization: string,
  keys: readonly ApiKey[],
): Promise<void> {
  const rows = keys.map(key => row(organization, key));
  const columns = Object.keys(rows[0] ?? {}).map(quoted);
  if (columns.length === 0) return;
  const updates = columns.map(column => `${column} = excluded.${column}`);
  await client.query(
    `INSERT INTO ${mapping.table} (${columns})
       SELECT ${columns} FROM json_populate_recordset(NULL::${mapping.table}, $1)
       ON CONFLICT (${primaryKey.map(quoted)}) DO UPDATE SET ${updates}`,
    [JSON.stringify(rows)],
  );
}

/** Sets columns of one row, whatever they mean. The ID is that of the table. */
export async function setColumns(
  client: ClientBase,
  { mapping, primaryKey }: VendorTable,
  id: string,
  values: Row,
): Promise<void> {
  const columns = Object.keys(values).map(quoted);
  const assigned = columns.map((column, index) => `${column} = $${index + 2}`);
  const { rowCount } = await client.query(
    `UPDATE ${mapping.table} SET ${assigned} WHERE ${quoted(String(primaryKey.at(-1)))} = $1`,
    [id, ...Object.values(values)],
  );
  if (rowCount !== 1) throw new Error(`${rowCount} rows have the ID`);
}

/** Deletes rows, as vendors do. The IDs are those of the table. */
export async function deleteKeys(
  client: ClientBase,
  { mapping, primaryKey }: VendorTable,
  ids: readonly string[],
): Promise<void> {
  const id = quoted(String(primaryKey.at(-1)));
  await client.query(`DELETE FROM ${mapping.table} WHERE ${id}::text = ANY ($1)`, [ids]);
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The time as a column with or without a zone reads it. */
export const timeOf = (timestamp: Timestamp) => timestamptz(timestamp);

/** What a vendor keeps of a key to find it again. */
export const digestOf = (id: string) => createHash('sha256').update(id).digest('hex');
