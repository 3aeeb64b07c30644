import type { DatabaseSync } from 'node:sqlite';
import { timestampNow } from '../../../shared/record/timestamp.ts';
import { type DeclaredField, NO_FIELDS, storedField } from '../../roster/declared-fields.ts';
import type { NewField } from '../../roster/writes/new-field.ts';
import { requireNewField, unknownField } from '../../roster/writes/refusals.ts';

/** Returns the function that reads the declared fields over this connection. */
export function fieldsReader(database: DatabaseSync): () => readonly DeclaredField[] {
  const select = database.prepare(
    'SELECT number, name, type FROM fields WHERE removed_at IS NULL ORDER BY number',
  );
  return () => {
    const rows = select.all() as unknown as { number: number; name: string; type: string }[];
    return rows.length === 0
      ? NO_FIELDS
      : rows.map(({ number, name, type }) => storedField(number, name, type));
  };
}

export function addField(database: DatabaseSync, { name, type }: NewField): DeclaredField {
  requireNewField(name, fieldsReader(database)());
  const { lastInsertRowid } = database
    .prepare('INSERT INTO fields (name, type, created_at) VALUES (?, ?, ?)')
    .run(name, JSON.stringify(type), timestampNow());
  return { number: Number(lastInsertRowid), name, type };
}

/** Its values stay in the rows until those are written again, under a number that nothing reads. */
export function removeField(database: DatabaseSync, name: string): DeclaredField {
  const field = fieldsReader(database)().find(each => each.name === name);
  if (!field) throw unknownField();
  database.prepare('UPDATE fields SET removed_at = ? WHERE number = ?').run(timestampNow(), field.number);
  return field;
}
