import { RECORD_FIELDS } from '../roster/api-key-record.ts';

/** A name of another form isn't a column: a service may send anything. */
const COLUMN_NAME = /^[a-z][a-z0-9_]{0,62}$/;

/** The fields of a record that aren't of the contract: those that its operator has declared, or those of a newer service. */
export function declaredColumns(record: object = {}): string[] {
  return Object.keys(record).filter(name => COLUMN_NAME.test(name) && !RECORD_FIELDS.includes(name));
}

/** The value of such a field as text. Empty: there is none. */
export function declaredText(record: object, name: string): string {
  const value: unknown = Object.hasOwn(record, name) ? (record as Record<string, unknown>)[name] : null;
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
