import type { Client } from 'pg';
import { Refused } from '../../shared/record/faults.ts';
import type { Statements } from '../postgres/statements.ts';
import { isOfRow } from '../postgres/vendor-table/failure.ts';
import { differing, joinTriggers } from '../postgres/vendor-table/join.ts';
import { joinsOf, type Mapping } from '../postgres/vendor-table/mapping.ts';
import type { DeclaredSource } from '../postgres/vendor-table/source.ts';
import { identifier, tableSql } from '../postgres/vendor-table/table-name.ts';
import type { Finding } from '../roster/check.ts';
import { examineMapping } from './examine/examine.ts';

const ADOPT_AGAIN = 'keyroster adopt --mapping FILE --apply';

/** A view stays over the table and the columns that it was made of, whatever they are called later. */
const READ_BY_VIEW = `
  SELECT attname AS column
  FROM pg_rewrite JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid AND refclassid = 'pg_class'::regclass
    JOIN pg_class ON pg_class.oid = refobjid AND refobjid <> ev_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid AND attnum <> 0
  WHERE ev_class = 'keyroster.api_keys'::regclass AND nspname = $1::text AND relname = $2::text ORDER BY refobjsubid`;

/** Whether the view still reads what its mapping names. Any role can tell. */
async function renamedSource(client: Statements, mapping: Mapping): Promise<Finding | null> {
  const { table, fields, declared } = mapping;
  const { rows } = await client.query(READ_BY_VIEW, [table.schema, table.table]);
  const read: string[] = rows.map(({ column }) => column);
  const sources = [...Object.values<DeclaredSource>(fields), ...declared.map(({ source }) => source)];
  const unread = sources.flatMap(each =>
    'column' in each && !read.includes(each.column) ? each.column : [],
  );
  const unnamed = read.filter(column => !sources.some(source => isNamedIn(source, column)));
  const columns = [...new Set([...unread, ...unnamed])].map(identifier);
  if (columns.length === 0) return null;
  const problem = `the view and its mapping differ in ${columns.join(', ')}: the table or a column was renamed`;
  return { about: 'columns', problem, fix: ADOPT_AGAIN };
}

/** What a mapping names in SQL of its own is found less surely: a name may be there as a part of something else. */
function isNamedIn(source: DeclaredSource, column: string): boolean {
  if ('column' in source) return source.column === column;
  const name = column.replaceAll('"', '""').toLowerCase();
  return 'sql' in source && source.sql.toLowerCase().includes(name);
}

/** What a view doesn't show of the vendor's table behind it. */
export async function checkVendorTable(
  client: Client,
  mapping: Mapping,
): Promise<{ findings: Finding[]; notLookedAt: string[] }> {
  const renamed = await renamedSource(client, mapping);
  return renamed === null ? checkColumns(client, mapping) : { findings: [renamed], notLookedAt: [] };
}

/** Who may not read the table can't look at it. */
async function checkColumns(
  client: Client,
  mapping: Mapping,
): Promise<{ findings: Finding[]; notLookedAt: string[] }> {
  if (!(await mayRead(client, mapping)))
    return notLookedAt(`this role may not read ${tableSql(mapping.table)}`);
  try {
    const { faults } = await examineMapping(client, mapping);
    const fix = `change the mapping, then run "${ADOPT_AGAIN}"`;
    const findings = faults.map(
      ({ field, problem }): Finding => ({ about: 'columns', problem: `${field}: ${problem}`, fix }),
    );
    return { findings: [...findings, ...(await joinFindings(client, mapping))], notLookedAt: [] };
  } catch (error) {
    if (error instanceof Refused) return notLookedAt(error.message);
    if (isOfRow(error)) return notLookedAt('an expression of the mapping fails on a row');
    throw error;
  }
}

/** Whether the triggers of joins are there and fire for replicated rows too, and whether any row differs: one look into an index each. */
async function joinFindings(client: Client, mapping: Mapping): Promise<Finding[]> {
  const [keys, joins] = [tableSql(mapping.table), joinsOf(mapping)];
  if (joins.length === 0) return [];
  const triggers = joinTriggers(keys, joins);
  const { rows } = await client.query(
    `SELECT (SELECT string_agg(name || ' of ' || "table", ', ' ORDER BY "table", name) FROM json_to_recordset($1::json) AS wanted(name text, "table" text) WHERE NOT EXISTS
      (SELECT FROM pg_trigger WHERE tgname = name AND tgrelid = to_regclass("table") AND tgenabled = 'A')) AS missing,
      (SELECT count(*)::text FROM ${keys} WHERE ${differing(keys, joins)}) AS count`,
    [JSON.stringify(triggers)],
  );
  const [{ missing, count }] = rows;
  const finding = { about: 'columns', fix: ADOPT_AGAIN } as const;
  return [
    ...(missing ? [{ ...finding, problem: `triggers are gone, or not enabled always: ${missing}` }] : []),
    ...(count === '0'
      ? []
      : [{ ...finding, problem: `organization_id: ${count} rows differ from what the joins find` }]),
  ];
}

const notLookedAt = (reason: string) => ({
  findings: [],
  notLookedAt: [`columns that have keys: ${reason}`],
});

async function mayRead(client: Client, { table }: Mapping): Promise<boolean> {
  const { rows } = await client.query<{ readable: string }>(
    `SELECT (has_schema_privilege(relnamespace, 'USAGE') AND has_table_privilege(pg_class.oid, 'SELECT'))::text AS readable
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relname = $2`,
    [table.schema, table.table],
  );
  return rows[0]?.readable === 'true';
}
