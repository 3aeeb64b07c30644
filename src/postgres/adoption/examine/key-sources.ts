import type { Catalogue, Column } from '../catalogue/catalogue.ts';
import { hasKeysByValue, keyColumnReason } from '../catalogue/key-columns.ts';
import type { FieldName, FieldSource, Mapping } from '../mapping/mapping.ts';
import { type Names, namesIn } from './names-in-sql.ts';
import { ID_FIELDS, isShown } from './sampled-values.ts';

/** Why the field may not come from its source, which may have full keys or hashes of keys; `null`: it may. */
export function keyFault(field: FieldName, mapping: Mapping, catalogue: Catalogue): string | null {
  const names = namesOf(mapping.fields[field]);
  if (!names) return UNREADABLE;
  const used = catalogue.columns.filter(({ name }) => names.names.has(name.toLowerCase()));
  for (const column of used) {
    const reason = keyColumnReason(column);
    if (reason !== null) return columnFault(column, reason);
  }
  const isNamed = (name: string) => used.some(column => column.name.toLowerCase() === name);
  const table = catalogue.table.table.toLowerCase();
  if (names.whole.has(table) && !isNamed(table)) return WHOLE_ROW;
  if (QUERIES.some(word => names.names.has(word) && !isNamed(word))) return QUERY;
  const ids = ID_FIELDS.map(name => mapping.fields[name]);
  const isId = ({ name }: Column) => ids.some(id => 'column' in id && id.column === name);
  const held = isShown(field) && used.find(column => !isId(column) && hasKeysByValue(column));
  return held ? columnFault(held, 'its values') : null;
}

/** What begins a query. Another table may have the keys. */
const QUERIES = ['select', 'table'];

const UNREADABLE =
  'write it without dollar quotes, U& names and backslashes in texts, so that it can be told which columns it reads';
const WHOLE_ROW = 'names the table as a whole, which has the columns of keys too: name its columns';
const QUERY = 'must be an expression over the columns of the table: a query is not allowed';

function columnFault({ name }: Column, by: string): string {
  return `the column ${name} has full keys or hashes of keys, by ${by}: no field may come from it`;
}

function namesOf(source: FieldSource): Names | null {
  if ('sql' in source) return namesIn(source.sql);
  const names = new Set('column' in source ? [source.column.toLowerCase()] : []);
  return { names, whole: new Set() };
}
