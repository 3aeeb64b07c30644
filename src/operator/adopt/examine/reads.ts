import type { Statements } from '../../../service/postgres/statements.ts';
import { inSavepoint } from '../../../service/postgres/transaction.ts';
import { ID_FIELDS, type Mapping } from '../../../service/postgres/vendor-table/mapping.ts';
import { type TableName, tableSql } from '../../../service/postgres/vendor-table/table-name.ts';
import { Refused } from '../../../shared/record/faults.ts';
import type { Catalogue, Column } from '../catalogue/catalogue.ts';
import { hasKeysByValue, keyColumnReason, mayHaveUuidKeys } from '../catalogue/key-columns.ts';
import { inTrial, isRefusal } from '../rolled-back.ts';
import type { ExaminedField } from './examined-field.ts';

/** What an expression over a table is computed from. */
export interface Reads {
  /** Columns of the table. */
  readonly columns: readonly string[];
  /** Columns that generated ones of those are computed from. */
  readonly behind: readonly string[];
  /** Whether it has a row as one value, so all columns. */
  readonly wholeRow: boolean;
  /** Whether it isn't one value of each row: it has a query, another relation, an aggregate or a set. */
  readonly elsewhere: boolean;
  readonly functions: readonly string[];
  /** That of its value, as PostgreSQL writes it without a length. */
  readonly type: string;
}

/**
 * What each field reads, or why PostgreSQL refuses its expression: each is the column of a temporary view, which is never committed. It
 * stands there once, so that no quote or parenthesis that it leaves open is closed. Throws `Refused` where the role may make no view.
 */
export async function readsOf(
  client: Statements,
  table: TableName,
  fields: readonly ExaminedField[],
): Promise<readonly (Reads | string)[]> {
  const reads: (Reads | string)[] = [];
  const read = async () => {
    await client.query('CREATE VIEW pg_temp.keyroster_trial AS SELECT 1');
    for (const [index, { value }] of fields.entries()) {
      const view = `pg_temp.keyroster_trial_${index}`;
      const text = `CREATE VIEW ${view} AS SELECT ${value} AS value FROM ${tableSql(table)}`;
      const problem = await inSavepoint(client, () => client.query(text)).then(() => null, problemOf);
      const told = problem === null && (await client.query(READS, [view, tableSql(table)])).rows[0]?.reads;
      reads.push(problem ?? JSON.parse(told));
    }
  };
  // Also for a role that is set to read only. On a standby there is no such transaction.
  await inTrial(client, 'READ WRITE', read).catch(cause => {
    if (!isRefusal(cause)) throw cause;
    throw new Refused(CANNOT_ASK, { cause });
  });
  return reads;
}

const CANNOT_ASK =
  "adopt: PostgreSQL can't be asked which columns an expression reads: ask the primary, as a role that may make temporary views";

/** PostgreSQL's message only where it points at a place in the text: else it may have a value, or what a function made of one. */
function problemOf(error: unknown): string {
  if (!isRefusal(error)) throw error;
  const { message, position, where, code } = error;
  return `PostgreSQL refuses it${position !== undefined && where === undefined ? `: ${message}` : ` (${code})`}`;
}

/**
 * `pg_depend` doesn't tell a whole row, nor functions of PostgreSQL's own, so the view's definition is read as PostgreSQL keeps it.
 * Its words stand between spaces, and no text or name in it has a space that isn't escaped. Column 0 is the whole row.
 */
const READS = `
  SELECT json_build_object(
    'columns', ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = table_oid AND tree ~ (' :varattno ' || attnum || ' ')),
    'behind', ARRAY(SELECT base.attname FROM pg_attrdef JOIN pg_attribute made ON made.attrelid = adrelid AND made.attnum = adnum
      JOIN pg_attribute base ON base.attrelid = adrelid AND adbin::text ~ (' :varattno ' || base.attnum || ' ')
      WHERE adrelid = table_oid AND made.attgenerated <> '' AND tree ~ (' :varattno ' || adnum || ' ')),
    'wholeRow', tree ~ ' :varattno 0 ',
    'elsewhere', tree ~ ' :has(SubLinks|Aggs|WindowFuncs|TargetSRFs) true ' OR EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_rewrite'::regclass
      AND objid = rule AND refclassid = 'pg_class'::regclass AND refobjid NOT IN (table_oid, ev_class)),
    'functions', ARRAY(SELECT proname FROM pg_proc WHERE oid IN
      (SELECT found[1]::oid FROM regexp_matches(tree, ' :(?:op)?funcid ([0-9]+) ', 'g') AS found)),
    'type', (SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = ev_class AND attnum = 1))::text AS reads
  FROM (SELECT oid AS rule, ev_class, ev_action::text AS tree, $2::text::regclass::oid AS table_oid
    FROM pg_rewrite WHERE ev_class = $1::text::regclass) AS view`;

/** Why the field may not come from its source, which may have full keys or hashes of keys; `null`: it may. */
export function keyFault(
  { name, source, isShown }: ExaminedField,
  { fields }: Mapping,
  { columns }: Catalogue,
  reads: Reads,
  idColumns: readonly string[],
): string | null {
  if (reads.elsewhere) return QUERY;
  if (reads.functions.some(name => OPENS_MORE.test(name))) return FUNCTION;
  // A hint may be generated from the key itself: what comes of it has to be masked.
  const read = name === 'partial_key_hint' ? reads.columns : [...reads.columns, ...reads.behind];
  const used = columns.filter(({ name }) => read.includes(name));
  for (const column of used) {
    const reason = keyColumnReason(column);
    if (reason !== null) return columnFault(column, reason);
  }
  if (reads.wholeRow) return WHOLE_ROW;
  const ids = ID_FIELDS.map(name => fields[name]);
  const isId = ({ name }: Column) => ids.some(id => 'column' in id && id.column === name);
  const held = isShown && used.find(column => !isId(column) && hasKeysByValue(column));
  if (held) return columnFault(held, 'its values');
  const isNoKey = name === 'id' || 'no_key' in source;
  const unique = !isNoKey && used.find(column => !idColumns.includes(column.name) && mayHaveUuidKeys(column));
  return unique ? `the column ${unique.name} ${HAS_UUIDS}` : null;
}

/** Functions that run SQL from a text, or read files. */
const OPENS_MORE =
  /^(?:(?:query|table|cursor|schema|database)_to_xml.*|pg_read_.*|pg_ls_.*|pg_stat_file|lo_(?:get|open|import|export)|loread|dblink.*|ts_stat|ts_rewrite)$/;

export const HAS_UUIDS =
  'has UUIDs that few rows share, as keys are: where it has no keys, say so with "no_key": true beside it';
const WHOLE_ROW = 'names the table as a whole, which has the columns of keys too: name its columns';
const QUERY = 'must be one value of each row: a query, an aggregate or a set is not allowed';
const FUNCTION = 'has a function that runs SQL or reads files: only the columns of the table may be read';

function columnFault({ name }: Column, by: 'its name' | 'its values'): string {
  return `the column ${name} has full keys or hashes of keys, by ${by}: no field may come from it`;
}
