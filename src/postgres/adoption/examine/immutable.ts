import type { Client } from 'pg';
import type { Fault } from '../../../roster/errors.ts';
import { filterColumns } from '../../page-sql.ts';
import { inSavepoint } from '../../transaction.ts';
import { LOCK_TIMEOUT } from '../catalogue/catalogue.ts';
import { expressionOf } from '../mapping/expressions.ts';
import type { FieldName, Mapping } from '../mapping/mapping.ts';
import { identifier, tableSql } from '../mapping/table-name.ts';

/**
 * The fields that can't be in an index, since their value may change while the row stays. Only PostgreSQL can tell: so they are
 * put into indexes of an empty temporary table, which is never committed. Where the role may not make one, nothing is found.
 */
export async function mutableFields(client: Client, mapping: Mapping): Promise<Fault[]> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    // By the same name, which an expression may use.
    const copy = `pg_temp.${identifier(mapping.table.table)}`;
    if (await refusal(client, `CREATE TABLE ${copy} (LIKE ${tableSql(mapping.table)})`)) return [];
    const faults: Fault[] = [];
    for (const field of indexedFields(mapping)) {
      const sql = `CREATE INDEX ON ${copy} (${expressionOf(field, mapping.fields[field])})`;
      if ((await refusal(client, sql)) === NOT_IMMUTABLE)
        faults.push({ field: `fields.${field}`, problem: RULE });
    }
    return faults;
  } finally {
    await client.query('ROLLBACK').catch(() => {}); // on a broken connection the server rolls back
  }
}

const RULE =
  'is in an index, so it must be IMMUTABLE: the text of an enum is not (give "values", or CASE with each label), nor is what ' +
  'depends on the current time or on settings';

function indexedFields({ filters }: Mapping): FieldName[] {
  return ['organization_id', 'id', 'created_at', ...filters.map(name => filterColumns[name])];
}

const NOT_IMMUTABLE = '42P17';
/** The code with which PostgreSQL refuses a statement: no right, a standby, no such name; `null`: it is done. */
async function refusal(client: Client, sql: string): Promise<string | null> {
  try {
    await inSavepoint(client, () => client.query(sql));
    return null;
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (/^(?:0A|25|42)/.test(code)) return code;
    throw error;
  }
}
