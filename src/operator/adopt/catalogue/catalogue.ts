import type { Client } from 'pg';
import type { Statements } from '../../../service/postgres/statements.ts';
import {
  identifier,
  readableTable,
  TABLE_RULE,
  type TableName,
  tableSql,
} from '../../../service/postgres/vendor-table/table-name.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { isRefusal } from '../rolled-back.ts';

/** What PostgreSQL tells of a table: its columns, and a sample of its values, which no message and no file may have. */
export interface Catalogue {
  readonly table: TableName;
  /** As PostgreSQL estimates; `null` where it has never counted. */
  readonly rows: number | null;
  readonly columns: readonly Column[];
}

export interface Column {
  readonly name: string;
  /** As PostgreSQL writes it, such as `timestamp(3) without time zone`. */
  readonly type: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  /** Whether no two rows have the same value, by a constraint or an index on this column alone. */
  readonly isUnique: boolean;
  readonly isInPrimaryKey: boolean;
  /** Whether it takes different texts, such as `acme` and `Acme`, or `1` and `1.0`, for the same. */
  readonly mergesTexts: boolean;
  /** Those of an enum, in its order. */
  readonly labels: readonly string[];
  /** The values of the sample as text; `null`: the role may not read this column. */
  readonly sample: readonly (string | null)[] | null;
}

export type ColumnKind = (typeof KINDS)[keyof typeof KINDS] | 'other';

/** Of a type's category, or by its name. */
const KINDS = {
  S: 'text',
  N: 'number',
  B: 'boolean',
  E: 'enum',
  uuid: 'uuid',
  bytea: 'bytes',
  timestamptz: 'timestamptz',
  timestamp: 'timestamp',
  date: 'date',
} as const;

const SAMPLE_ROWS = 1_000;

/** Of the table that a person names; in a transaction of `inTrial`. Throws `Refused` for what is no ordinary table. */
export async function readCatalogue(client: Client, table: string): Promise<Catalogue> {
  const found = await findTable(client, table);
  const columns = await readColumns(client, found);
  const texts = columns.map(({ name, kind, isReadable }) =>
    isReadable && kind !== 'other' ? `left(${identifier(name)}::text, ${MAX_VALUE_LENGTH})` : 'NULL',
  );
  const isAnyReadable = columns.some(({ isReadable }) => isReadable);
  const sample = isAnyReadable ? await sampleRows(client, found, texts) : [];
  return {
    ...found,
    columns: columns.map(({ isReadable, ...column }, index) => ({
      ...column,
      sample: isReadable ? sample.map(row => row[index] ?? null) : null,
    })),
  };
}

type FoundTable = Pick<Catalogue, 'table' | 'rows'>;

const TABLE = `
  SELECT nspname::text AS schema, relname::text AS table, nullif(reltuples, -1)::bigint::text AS rows,
    (relkind = 'r' AND NOT relispartition AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid))::text AS ordinary
  FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = to_regclass($1::text)`;

/** The table of this name, as SQL reads it: `apikey`, `auth."ApiKey"`. Throws `Refused` for what an index can't be added to in use. */
async function findTable(client: Statements, given: string): Promise<FoundTable> {
  const { rows } = await client.query(TABLE, [given]).catch(error => {
    if (isRefusal(error)) return { rows: [] };
    throw error;
  });
  const [found] = rows;
  if (!found) throw new Refused(`table: there is no such table: it ${TABLE_RULE}`);
  if (found.schema === 'keyroster') throw new Refused(`table: ${readableTable(found)} is Keyroster's own`);
  if (found.ordinary !== 'true')
    throw new Refused(
      `table: ${readableTable(found)} is not an ordinary table, but a view, or a foreign, partitioned or inherited one: name the one that has the rows`,
    );
  const { schema, table, rows: count } = found;
  return { table: { schema, table }, rows: count === null ? null : Number(count) };
}

const kindOf: Readonly<Record<string, ColumnKind>> = KINDS;

type UnsampledColumn = Omit<Column, 'sample'> & { readonly isReadable: boolean };

async function readColumns(client: Statements, { table }: FoundTable): Promise<UnsampledColumn[]> {
  const { rows } = await client.query(COLUMNS, [tableSql(table)]);
  return rows.map(({ column }) => {
    const { base, category, ...told } = JSON.parse(column);
    return { ...told, kind: kindOf[base] ?? kindOf[category] ?? 'other' };
  });
}

/** A domain counts as the type that it is of, also through others. */
const COLUMNS = `
  SELECT json_build_object('name', attname, 'type', format_type(atttypid, atttypmod), 'base', base.typname,
    'category', base.typcategory, 'isNullable', NOT attnotnull AND NOT own.typnotnull,
    'isUnique', EXISTS (SELECT FROM pg_index WHERE indrelid = attrelid AND indisunique AND indisvalid AND indpred IS NULL
      AND indnkeyatts = 1 AND indkey[0] = attnum),
    'isInPrimaryKey', EXISTS (SELECT FROM pg_index WHERE indrelid = attrelid AND indisprimary AND attnum = ANY (indkey)),
    'mergesTexts', base.typname IN ('citext', 'float4', 'float8') OR (base.typname = 'numeric' AND atttypmod = -1) OR EXISTS (SELECT FROM pg_collation c WHERE c.oid = attcollation AND NOT collisdeterministic),
    'labels', (SELECT coalesce(json_agg(enumlabel ORDER BY enumsortorder), '[]') FROM pg_enum WHERE enumtypid = base.oid),
    'isReadable', has_column_privilege(attrelid, attnum, 'SELECT'))::text AS column
  FROM pg_attribute
    JOIN pg_type own ON own.oid = atttypid
    JOIN pg_type base ON base.oid = (WITH RECURSIVE under AS (SELECT own.oid, own.typbasetype AS next UNION ALL
      SELECT next, typbasetype FROM under JOIN pg_type ON pg_type.oid = next) SELECT oid FROM under WHERE next = 0)
  WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped
  ORDER BY attnum`;

/** More of a value tells nothing about what it is. In characters. */
const MAX_VALUE_LENGTH = 300;

/** From here on the oldest rows, which are the first of a table, may differ too much from the others. */
const MANY_ROWS = 20 * SAMPLE_ROWS;
/** Whole pages are read, so that a large table takes no longer, and of those only some rows, so that there are many pages. */
const SHARE_OF_READ_ROWS = (0.9 * SAMPLE_ROWS) / MANY_ROWS;

/** The values of these expressions in a sample of the rows: the same rows in each run, and for all expressions. */
export async function sampleRows(
  client: Client,
  { table, rows }: FoundTable,
  expressions: readonly string[],
): Promise<(string | null)[][]> {
  const read = async (sampling: string): Promise<(string | null)[][]> => {
    const text = `SELECT ${expressions.join(', ')} FROM ${tableSql(table)} ${sampling} LIMIT ${SAMPLE_ROWS}`;
    return (await client.query({ text, rowMode: 'array' })).rows;
  };
  if (rows === null || rows < MANY_ROWS) return read('');
  await client.query('SET LOCAL seed = 0.5');
  const pages = `TABLESAMPLE SYSTEM (${(100 * MANY_ROWS) / rows}) REPEATABLE (1)`;
  const scattered = await read(`${pages} WHERE random() < ${SHARE_OF_READ_ROWS}`);
  return scattered.length > 0 ? scattered : read(''); // the estimate may be too high
}
