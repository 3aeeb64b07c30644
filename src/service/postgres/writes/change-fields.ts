/**
 * Declares and removes fields. Each is a nullable column, so that an issuer writes it by SQL as the others. PostgreSQL adds or drops
 * one without a look at the rows, under a lock that it needs for a moment. A column is dropped with its field: one of the same
 * name begins without values.
 */
import { type Client, escapeLiteral } from 'pg';
import { Refused } from '../../../shared/record/faults.ts';
import type { DeclaredField, FieldType } from '../../roster/declared-fields.ts';
import type { NewField } from '../../roster/writes/new-field.ts';
import { requireNewField, unknownField } from '../../roster/writes/refusals.ts';
import { columnName, columnType, declaredFields } from '../declared-fields.ts';
import { isAdopted, ownTable } from '../vendor-table/own-table.ts';

/** To be called in a retried transaction. */
export async function addField(client: Client, { name, type }: NewField): Promise<DeclaredField> {
  if (await isAdopted(client))
    throw new Refused(
      "the API keys are in the vendor's own table, so no field can be declared there: its mapping gives fields (docs/your-table.md#more-fields)",
    );
  await client.query(lock('api_keys'));
  requireNewField(name, await declaredFields(client));
  const column = columnName({ name });
  await client.query(`ALTER TABLE keyroster.api_keys ADD COLUMN ${column} ${columnType(type)}`);
  const next = await client.query<{ number: string }>(NEXT_NUMBER);
  const number = Number(next.rows[0]?.number);
  const rule = ruleOf(type, column);
  // Not compared with the rows that are there, which have NULL.
  if (rule !== null)
    await client.query(
      `ALTER TABLE keyroster.api_keys ADD CONSTRAINT api_keys_field_${number}_check CHECK (${rule}) NOT VALID`,
    );
  await client.query('INSERT INTO keyroster.fields (number, name, type) VALUES ($1, $2, $3)', [
    number,
    name,
    JSON.stringify(type),
  ]);
  await grantAsForName(client, column);
  return { number, name, type };
}

/** Before the fields are looked at: nobody else adds or removes one meanwhile, or writes by the list that is to change. */
const lock = (table: 'api_keys' | 'own_api_keys') => `LOCK TABLE keyroster.${table} IN ACCESS EXCLUSIVE MODE`;

/** Of removed fields too. */
const NEXT_NUMBER = 'SELECT (coalesce(max(number), 0) + 1)::text AS number FROM keyroster.fields';

function ruleOf(type: FieldType, column: string): string | null {
  switch (type.kind) {
    case 'timestamp':
      return `${column} >= '0001-01-01 00:00:00+00 BC' AND ${column} < '10000-01-01 00:00:00+00'`;
    case 'integer':
      return `${column} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;
    case 'boolean':
      return null;
    case 'one-of':
      return `${column} IN (${type.values.map(escapeLiteral).join(', ')})`;
    case 'text':
      return `char_length(${column}) BETWEEN 1 AND ${type.max_length}`;
  }
}

/** Whoever may write names may write the field. */
async function grantAsForName(client: Client, column: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(GRANTS, [column]);
  for (const { statement } of rows) await client.query(statement);
}

const GRANTS = `
  SELECT format('GRANT %s (%s) ON keyroster.api_keys TO %s%s', privilege_type, $1::text,
    CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
    CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END) AS statement
  FROM pg_attribute, aclexplode(attacl)
  WHERE attrelid = 'keyroster.api_keys'::regclass AND attname = 'name'`;

/** To be called in a retried transaction. */
export async function removeField(client: Client, name: string): Promise<DeclaredField> {
  const table = await ownTable(client);
  if (table === null) throw unknownField();
  await client.query(lock(table));
  const field = (await declaredFields(client)).find(each => each.name === name);
  if (!field) throw unknownField();
  await client.query(`ALTER TABLE keyroster.${table} DROP COLUMN ${columnName(field)}`);
  await client.query('UPDATE keyroster.fields SET removed_at = now() WHERE number = $1', [field.number]);
  return field;
}
