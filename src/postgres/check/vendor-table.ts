import type { Client } from 'pg';
import type { Finding } from '../../roster/check.ts';
import { examineMapping } from '../adoption/examine/examine.ts';
import { isOfRow } from '../adoption/failure.ts';
import type { Mapping } from '../adoption/mapping/mapping.ts';
import { tableSql } from '../adoption/mapping/table-name.ts';
import { ADOPT_AGAIN } from './listed-relation.ts';

/** What a view doesn't show of the vendor's table behind it. Who may not read the table can't look at it. */
export async function checkVendorTable(
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
    return { findings, notLookedAt: [] };
  } catch (error) {
    if (isOfRow(error)) return notLookedAt('an expression of the mapping fails on a row');
    throw error;
  }
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
