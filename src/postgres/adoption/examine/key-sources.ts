import type { Catalogue, Column } from '../catalogue/catalogue.ts';
import { hasKeysByValue, keyColumnReason } from '../catalogue/key-columns.ts';
import type { FieldName, Mapping } from '../mapping/mapping.ts';
import type { Reads } from './reads.ts';
import { ID_FIELDS, isShown } from './sampled-values.ts';

/** Why the field may not come from its source, which may have full keys or hashes of keys; `null`: it may. */
export function keyFault(
  field: FieldName,
  { fields }: Mapping,
  { columns }: Catalogue,
  reads: Reads,
): string | null {
  if (reads.elsewhere) return QUERY;
  if (reads.functions.some(name => OPENS_MORE.test(name))) return FUNCTION;
  const used = columns.filter(({ name }) => reads.columns.includes(name));
  for (const column of used) {
    const reason = keyColumnReason(column);
    if (reason !== null) return columnFault(column, reason);
  }
  if (reads.wholeRow) return WHOLE_ROW;
  const ids = ID_FIELDS.map(name => fields[name]);
  const isId = ({ name }: Column) => ids.some(id => 'column' in id && id.column === name);
  const held = isShown(field) && used.find(column => !isId(column) && hasKeysByValue(column));
  return held ? columnFault(held, 'its values') : null;
}

/** Functions that run SQL from a text, or read files. */
const OPENS_MORE =
  /^(?:(?:query|table|cursor|schema|database)_to_xml.*|pg_read_.*|pg_ls_.*|pg_stat_file|lo_(?:get|open|import|export)|loread|dblink.*|ts_stat|ts_rewrite)$/;

const WHOLE_ROW = 'names the table as a whole, which has the columns of keys too: name its columns';
const QUERY = 'must be an expression over the columns of the table: a query is not allowed';
const FUNCTION = 'has a function that runs SQL or reads files: only the columns of the table may be read';

function columnFault({ name }: Column, by: 'its name' | 'its values'): string {
  return `the column ${name} has full keys or hashes of keys, by ${by}: no field may come from it`;
}

/** Names with escapes, texts between dollars, and texts in which a backslash escapes a quote. */
const ESCAPES = /\bu&"|\$[\p{L}_\d]*\$|\be'[\s\S]*\\/iu;

/**
 * Why an SQL expression may mean another thing in the view than in the examination; `null`: it can't, as each quote and parenthesis is
 * closed.
 */
export function openEndFault(sql: string): string | null {
  const bare = sql.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g, ' ');
  let open = 0;
  let isOpen = ESCAPES.test(sql) || /['"]/.test(bare);
  for (const [sign] of bare.matchAll(/[()]/g)) {
    open += sign === '(' ? 1 : -1;
    isOpen ||= open < 0;
  }
  return isOpen || open > 0 ? OPEN_END : null;
}

const OPEN_END =
  'write it without dollar quotes, U& names and backslashes in texts, and with each quote and parenthesis closed, so that it can ' +
  'be told which columns it reads';
