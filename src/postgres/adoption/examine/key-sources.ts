import type { Catalogue, Column } from '../catalogue/catalogue.ts';
import { hasKeysByValue, keyColumnReason } from '../catalogue/key-columns.ts';
import type { FieldName, FieldSource, Mapping } from '../mapping/mapping.ts';
import { isPlain, namesIn } from './names-in-sql.ts';
import { ID_FIELDS, isShown } from './sampled-values.ts';
import type { Reads } from './what-sql-reads.ts';

/**
 * Why the field may not come from its source, which may have full keys or hashes of keys; `null`: it may. Where PostgreSQL doesn't
 * say what an SQL expression reads, its text does.
 */
export function keyFault(
  field: FieldName,
  mapping: Mapping,
  catalogue: Catalogue,
  asked: Reads | undefined,
): string | null {
  const reads = readsOf(mapping.fields[field], catalogue, asked);
  if (typeof reads === 'string') return reads;
  if (reads.elsewhere) return QUERY;
  if ([...reads.functions].some(name => OPENS_MORE.test(name))) return FUNCTION;
  const used = catalogue.columns.filter(({ name }) => reads.columns.has(name));
  for (const column of used) {
    const reason = keyColumnReason(column);
    if (reason !== null) return columnFault(column, reason);
  }
  if (reads.wholeRow) return WHOLE_ROW;
  const ids = ID_FIELDS.map(name => mapping.fields[name]);
  const isId = ({ name }: Column) => ids.some(id => 'column' in id && id.column === name);
  const held = isShown(field) && used.find(column => !isId(column) && hasKeysByValue(column));
  return held ? columnFault(held, 'its values') : null;
}

/** What begins a query. Another table may have the keys. */
const QUERIES = ['select', 'table'];
/** Functions that run SQL from a text, or read files. */
const OPENS_MORE =
  /^(?:(?:query|table|cursor|schema|database)_to_xml.*|pg_read_.*|pg_ls_.*|pg_stat_file|lo_(?:get|open|import|export)|loread|dblink.*|ts_stat|ts_rewrite)$/;

const UNREADABLE =
  'write it without dollar quotes, U& names and backslashes in texts, and with each quote and parenthesis closed, so that it can ' +
  'be told which columns it reads';
const UNTOLD =
  'PostgreSQL could not be asked which columns it reads: use a role that may make temporary views, or write it without ' +
  'backslashes, .*, letters other than a to z outside of quotes, and names of more than 63 bytes';
const WHOLE_ROW = 'names the table as a whole, which has the columns of keys too: name its columns';
const QUERY = 'must be an expression over the columns of the table: a query is not allowed';
const FUNCTION = 'has a function that runs SQL or reads files: only the columns of the table may be read';

function columnFault({ name }: Column, by: 'its name' | 'its values'): string {
  return `the column ${name} has full keys or hashes of keys, by ${by}: no field may come from it`;
}

/** A text says why it can't be told. */
function readsOf(source: FieldSource, catalogue: Catalogue, asked: Reads | undefined): Reads | string {
  if (!('sql' in source)) {
    const columns = new Set('column' in source ? [source.column] : []);
    return { columns, wholeRow: false, elsewhere: false, functions: new Set() };
  }
  if (!namesIn(source.sql)) return UNREADABLE;
  return asked ?? (isPlain(source.sql) ? readsByName(source.sql, catalogue) : UNTOLD);
}

function readsByName(sql: string, { table, columns }: Catalogue): Reads {
  const named = namesIn(sql) ?? [];
  const names = new Set(named.map(({ name }) => name));
  const isColumn = (word: string) => columns.some(({ name }) => name.toLowerCase() === word);
  const own = table.table.toLowerCase();
  return {
    columns: new Set(columns.map(({ name }) => name).filter(name => names.has(name.toLowerCase()))),
    wholeRow: named.some(({ name, member }) => name === own && !isColumn(member ?? name)),
    elsewhere: QUERIES.some(word => names.has(word) && !isColumn(word)),
    functions: new Set([...names].filter(name => !isColumn(name))),
  };
}
