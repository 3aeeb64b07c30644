import type { Finding } from '../../roster/check.ts';
import type { FieldName, FieldSource, Mapping } from '../adoption/mapping/mapping.ts';
import { identifier, tableSql } from '../adoption/mapping/table-name.ts';
import type { Statements } from '../statements.ts';

/** A view stays over the table and the columns that it was made of, whatever they are called later. */
const READ_BY_VIEW = `
  SELECT nspname AS schema, relname AS table, attname AS column
  FROM pg_rewrite JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid AND refclassid = 'pg_class'::regclass
    JOIN pg_class ON pg_class.oid = refobjid AND refobjid <> ev_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    LEFT JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid AND attnum <> 0
  WHERE ev_class = 'keyroster.api_keys'::regclass ORDER BY refobjsubid`;

/** Whether the view still reads what its mapping names. Any role can tell. */
export async function viewSourceProblem(client: Statements, mapping: Mapping): Promise<Finding | null> {
  const { rows } = await client.query(READ_BY_VIEW);
  const ofTable = rows.filter(
    ({ schema, table }) => schema === mapping.table.schema && table === mapping.table.table,
  );
  const problem =
    ofTable.length === 0
      ? otherTable(mapping, rows)
      : otherColumns(
          mapping,
          ofTable.flatMap(({ column }) => column ?? []),
        );
  return problem === null ? null : { about: 'columns', problem, fix: FIX };
}

const FIX = 'keyroster adopt --mapping FILE --apply';

function otherTable({ table }: Mapping, rows: readonly { schema: string; table: string }[]): string {
  const read = new Set(rows.map(tableSql));
  return `table: the view reads ${[...read].join(', ') || 'no table'}, and not ${tableSql(table)}, as one of them was renamed`;
}

/** Only what a mapping names in SQL of its own is found less surely: a name may be there as a part of something else. */
function otherColumns({ fields }: Mapping, read: readonly string[]): string | null {
  const sources = Object.entries(fields) as [FieldName, FieldSource][];
  for (const [field, source] of sources)
    if ('column' in source && !read.includes(source.column))
      return `fields.${field}: the view doesn't read the column ${identifier(source.column)}, as one was renamed`;
  const unnamed = read.find(column => !sources.some(([, source]) => isNamedIn(source, column)));
  return unnamed === undefined
    ? null
    : `fields: the view reads the column ${identifier(unnamed)}, which the mapping doesn't name, as one was renamed`;
}

function isNamedIn(source: FieldSource, column: string): boolean {
  if ('column' in source) return source.column === column;
  const name = column.replaceAll('"', '""').toLowerCase();
  return 'sql' in source && source.sql.toLowerCase().includes(name);
}
