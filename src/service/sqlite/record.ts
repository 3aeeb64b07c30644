import type { DatabaseSync } from 'node:sqlite';
import type { ApiKey } from '../roster/api-key.ts';
import { type DeclaredField, type DeclaredValue, withDeclared } from '../roster/declared-fields.ts';
import { lastUseField } from '../roster/writes/key-use.ts';

/** SQL: the record of a row with its declared fields. The names of fields have no quotes. */
export function declaredRecordSql(fields: readonly DeclaredField[]): string {
  if (fields.length === 0) return 'record';
  const members = fields.map(
    ({ name, number }) => `',"${name}":' || coalesce(declared -> '$.${number}', 'null')`,
  );
  return `substr(record, 1, length(record) - 1) || ${members.join(' || ')} || '}'`;
}

/** The values of declared fields as they are stored: a JSON object by the field's number, without those that are `null`. */
export function storedDeclared({ declared = [] }: ApiKey): string | null {
  const values = declared.filter(({ value }) => value !== null);
  if (values.length === 0) return null;
  return JSON.stringify(Object.fromEntries(values.map(({ field, value }) => [field.number, value])));
}

/**
 * Defines the SQL functions `declared_now`, stored values without those of fields that were removed, and `declared_put`, what a put
 * makes of stored values: the last use only moves forward.
 */
export function defineDeclared(database: DatabaseSync, fields: readonly DeclaredField[]): void {
  const numbers = new Set(fields.map(({ number }) => String(number)));
  database.function('declared_now', { deterministic: true }, stored => {
    if (typeof stored !== 'string') return null;
    const values = Object.entries(JSON.parse(stored)).filter(([number]) => numbers.has(number));
    return values.length === 0 ? null : JSON.stringify(Object.fromEntries(values));
  });
  const lastUse = lastUseField(fields)?.number;
  database.function('declared_put', { deterministic: true }, (stored, given) => {
    const before =
      lastUse === undefined || typeof stored !== 'string' ? undefined : JSON.parse(stored)[lastUse];
    const values = typeof given === 'string' ? JSON.parse(given) : {};
    const isKept = before !== undefined && !(values[lastUse as number] >= before);
    return isKept ? JSON.stringify({ ...values, [lastUse as number]: before }) : given;
  });
}

/** SQL: whether two rows differ, of which the first is stored. The functions are called only where the texts differ. */
export function differs(stored: string, other: string): string {
  const values = `${stored}.declared IS NOT ${other}.declared AND declared_now(${stored}.declared) IS NOT declared_put(${stored}.declared, ${other}.declared)`;
  return `(${stored}.record <> ${other}.record OR ${values})`;
}

/** The record with its declared fields. */
export function declaredRecord(
  record: string,
  fields: readonly DeclaredField[],
  stored: string | null,
): string {
  const values: Readonly<Record<number, DeclaredValue>> = stored === null ? {} : JSON.parse(stored);
  return withDeclared(record, fields, ({ number }) => values[number] ?? null);
}
