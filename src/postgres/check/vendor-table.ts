import type { Client } from 'pg';
import { type Finding, MAX_EXAMPLES } from '../../roster/check.ts';
import { Refused } from '../../roster/errors.ts';
import { printableId } from '../../roster/row-problems.ts';
import { examineMapping } from '../adoption/examine/examine.ts';
import { isOfRow } from '../adoption/failure.ts';
import { type Mapping, TIME_UNITS } from '../adoption/mapping/mapping.ts';
import { identifier, tableSql } from '../adoption/mapping/table-name.ts';
import { expressionsOf } from '../adoption/mapping/view.ts';

/** What a view doesn't show of the vendor's table behind it. Who may not read the table can't look at it. */
export async function checkVendorTable(
  client: Client,
  mapping: Mapping,
): Promise<{ findings: Finding[]; notLookedAt: string[] }> {
  if (!(await mayRead(client, mapping))) return { findings: [], notLookedAt: [notReadable(mapping)] };
  const examined = await examineMapping(client, mapping).catch(whyNot);
  if (typeof examined === 'string')
    return {
      findings: await fineTimes(client, mapping),
      notLookedAt: [`columns that have keys: ${examined}`],
    };
  const columns = examined.faults.map(
    ({ field, problem }): Finding => ({
      about: 'columns',
      problem: `${field}: ${problem}`,
      fix: COLUMNS_FIX,
    }),
  );
  return { findings: [...columns, ...(await fineTimes(client, mapping))], notLookedAt: [] };
}

/** A row that an expression fails on is told where all rows are looked at. */
function whyNot(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (isOfRow(error)) return 'an expression of the mapping fails on a row';
  throw error;
}

const COLUMNS_FIX = 'change the mapping, then run "keyroster adopt --mapping FILE --apply"';

const notReadable = ({ table }: Mapping) =>
  `columns that have keys, and times finer than microseconds: this role may not read ${tableSql(table)}`;

async function mayRead(client: Client, { table }: Mapping): Promise<boolean> {
  const { rows } = await client.query<{ readable: string }>(
    `SELECT (has_schema_privilege(relnamespace, 'USAGE') AND has_table_privilege(pg_class.oid, 'SELECT'))::text AS readable
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relname = $2`,
    [table.schema, table.table],
  );
  return rows[0]?.readable === 'true';
}

const MICROSECONDS = 1_000_000;

/** Times are listed with microseconds. Two keys whose times differ by less are in the order of their IDs. */
async function fineTimes(client: Client, mapping: Mapping): Promise<Finding[]> {
  const source = mapping.fields.created_at;
  if (!('unit' in source) || !source.unit) return [];
  const number = `${identifier(source.column)}::numeric * ${MICROSECONDS}`;
  const { rows } = await client
    .query<{ id: string; count: string }>(
      `SELECT ${expressionsOf(mapping).id} AS id, count(*) OVER ()::text AS count FROM ${tableSql(mapping.table)}
     WHERE (${number}) % ${TIME_UNITS[source.unit]} <> 0 LIMIT ${MAX_EXAMPLES}`,
    )
    .catch(error => {
      if (isOfRow(error)) return { rows: [] };
      throw error;
    });
  if (rows.length === 0) return [];
  return [
    {
      about: 'rows',
      problem: 'created_at: is finer than microseconds, which is not listed',
      count: Number(rows[0]?.count),
      examples: rows.flatMap(({ id }) => printableId({ id, record: null }) ?? []),
      fix: 'cut the times to microseconds, or accept that they are rounded',
    },
  ];
}
