/**
 * The organization of a key that another table has: a project's, or that of an owner of several kinds. An index is on one table, so
 * the table of keys gets a column with it, which triggers keep. The bodies of the SQL functions are stored parsed, so a table or a
 * column that is renamed stays theirs, and one that is dropped with them makes no write of the vendor's fail: the column stays NULL then.
 */
import { isObject } from '../../../shared/record/fields.ts';
import type { Statements } from '../statements.ts';
import type { Mapping } from './mapping.ts';
import { identifier, literal, parseTableName, tableSql } from './table-name.ts';

export interface Join {
  /** The column of the table of keys that names a row of the other. */
  readonly from: string;
  /** As SQL. */
  readonly table: string;
  /** The columns of that table which `from` has, and with the organization. */
  readonly key: string;
  readonly column: string;
  /** The texts that columns of the table of keys have where it is this join. */
  readonly when?: Readonly<Record<string, string>>;
}

export const JOINED_COLUMN = 'keyroster_organization_id';
export const JOINS_RULE =
  'must be a list of {"from", "table", "key", "column"}, each with "when": {"column": "text"} where it isn\'t for every row';

export function parseJoins(value: unknown): readonly Join[] | undefined {
  const joins = Array.isArray(value) ? value.map(parseJoin).filter(join => join !== undefined) : [];
  return Array.isArray(value) && joins.length > 0 && joins.length === value.length ? joins : undefined;
}

function parseJoin(given: unknown): Join | undefined {
  if (!isObject(given)) return undefined;
  const { from, table, key, column, when = {}, ...unknown } = given;
  const name = parseTableName(table);
  if (!name || !isObject(when) || Object.keys(unknown).length > 0) return undefined;
  const isText = (each: unknown) => typeof each === 'string' && each !== '' && !each.includes('\0');
  if (![from, key, column, ...Object.entries(when).flat()].every(isText)) return undefined;
  return { from, table: tableSql(name), key, column, when } as Join;
}

/** The organization of the row of keys with this name: that of the first join which finds one. */
export function joinedSql(joins: readonly Join[], row: string, lock = ''): string {
  const found = joins.map(({ from, table, key, column, when = {} }) => {
    const conditions = Object.entries(when).map(
      ([name, value]) => ` AND ${row}.${identifier(name)}::text = ${literal(value)}`,
    );
    return `(SELECT parent.${identifier(column)}::text FROM ${table} AS parent
    WHERE parent.${identifier(key)} = ${row}.${identifier(from)}${conditions.join('')} LIMIT 1${lock})`;
  });
  return `nullif(coalesce(${found.join(',\n  ')}), '')`;
}

/** After the vendor's own, by the order of their names: those before a row may change what ours read. */
const TRIGGER = 'zz_keyroster_';

export interface JoinTrigger {
  readonly name: string;
  /** As SQL. */
  readonly table: string;
  readonly sql: string;
}

export function joinTriggers(mapping: Mapping, joins: readonly Join[]): JoinTrigger[] {
  const keys = tableSql(mapping.table);
  const trigger = (name: string, table: string, on: string, runs: string) => ({
    ...{ name: `${TRIGGER}${name}`, table },
    sql: `CREATE OR REPLACE TRIGGER ${TRIGGER}${name} ${on} EXECUTE FUNCTION keyroster.joined_${runs}()`,
  });
  const ofRow = (table: string, columns: readonly string[], or = '') => {
    const differ = [...new Set(columns)]
      .map(identifier)
      .map(name => `OLD.${name} IS DISTINCT FROM NEW.${name}`);
    return `${table} FOR EACH ROW WHEN (${differ.join(' OR ')}${or})`;
  };
  const read = joins.flatMap(({ from, when = {} }) => [from, ...Object.keys(when)]);
  return [
    trigger('insert', keys, `BEFORE INSERT ON ${keys} FOR EACH ROW`, 'set'),
    trigger(
      'update',
      keys,
      `BEFORE UPDATE ON ${ofRow(keys, [JOINED_COLUMN, ...read], ` OR NEW.${JOINED_COLUMN} = ''`)}`,
      'set',
    ),
    ...joins.flatMap(({ table, key, column }, n) => [
      trigger(`lock_${n}`, table, `BEFORE UPDATE ON ${ofRow(table, [key, column])}`, `moved_${n}`),
      trigger(`moved_${n}`, table, `AFTER UPDATE ON ${ofRow(table, [key, column])}`, `moved_${n}`),
      trigger(`rows_${n}`, table, `AFTER INSERT OR DELETE ON ${table} FOR EACH ROW`, `moved_${n}`),
      trigger(`truncated_${n}`, table, `AFTER TRUNCATE ON ${table} FOR EACH STATEMENT`, `moved_${n}`),
    ]),
  ];
}

/** Whoever writes needs no right to the other table: the triggers run as who made them. */
const triggerFunction = (name: string, needed: string, body: string) => [
  `CREATE OR REPLACE FUNCTION keyroster.joined_${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF to_regproc('keyroster.joined_${needed}') IS NULL THEN RETURN NEW; END IF; -- dropped with a table or a column
  ${body}
  RETURN NEW;
END $$`,
  `REVOKE EXECUTE ON FUNCTION keyroster.joined_${name} FROM PUBLIC`,
];

/**
 * A row of the other table is locked by an insert as by a foreign key, and FOR UPDATE before its organization changes. So of the two
 * one waits for the other, and then sees it; but with one snapshot for all of a transaction it would not.
 */
const movedBody = (n: number) => `IF TG_WHEN = 'BEFORE' THEN
    IF current_setting('transaction_isolation') NOT LIKE 'read %' THEN
      RAISE feature_not_supported USING MESSAGE = 'keyroster: the organization of API keys changes here: do it in a transaction of READ COMMITTED';
    END IF;
    PERFORM keyroster.joined_lock_${n}(OLD);
  ELSIF TG_OP = 'TRUNCATE' THEN PERFORM keyroster.joined_refresh_all_${n}();
  ELSE PERFORM keyroster.joined_refresh_${n}(OLD, NEW);
  END IF;`;

/** What makes the column and the functions, of one transaction. Each row whose column becomes an empty text is computed anew. */
export function joinStatements(mapping: Mapping, joins: readonly Join[]): string[] {
  const keys = tableSql(mapping.table);
  const refresh = `UPDATE ${keys} SET ${JOINED_COLUMN} = ''`;
  const sql = (name: string, returns: string, body: string) =>
    `CREATE FUNCTION keyroster.joined_${name} RETURNS ${returns} LANGUAGE sql BEGIN ATOMIC\n  ${body};\nEND`;
  return [
    `ALTER TABLE ${keys} ADD COLUMN IF NOT EXISTS ${JOINED_COLUMN} text`,
    sql(`organization(${keys})`, 'text', `SELECT ${joinedSql(joins, '($1)', ' FOR KEY SHARE')}`),
    ...triggerFunction('set', 'organization', `NEW.${JOINED_COLUMN} := keyroster.joined_organization(NEW);`),
    ...joins.flatMap(({ from, table, key }, n) => [
      sql(
        `lock_${n}(${table})`,
        'void',
        `SELECT FROM ${table} AS parent WHERE parent.${identifier(key)} = ($1).${identifier(key)} FOR UPDATE`,
      ),
      sql(
        `refresh_${n}(${table}, ${table})`,
        'void',
        `${refresh} WHERE ${identifier(from)} IN (($1).${identifier(key)}, ($2).${identifier(key)})`,
      ),
      sql(`refresh_all_${n}()`, 'void', `${refresh} WHERE ${identifier(from)} IS NOT NULL`),
      ...triggerFunction(`moved_${n}`, `refresh_${n}`, movedBody(n)),
    ]),
  ];
}

/** The rows whose column isn't what the joins find. */
export function differing({ table }: Mapping, joins: readonly Join[]): string {
  return `${JOINED_COLUMN} IS DISTINCT FROM ${joinedSql(joins, tableSql(table))}`;
}

/**
 * Fills the column in batches of 64 pages, in passes until no row is left: one that is written meanwhile may be where a pass has been. A
 * batch that has to wait is undone and left to the next pass, before anyone who waits for it is told of a deadlock.
 */
export function fillStatement(mapping: Mapping, joins: readonly Join[]): string {
  const keys = tableSql(mapping.table);
  return `DO $$
DECLARE is_filled boolean;
BEGIN
  FOR pass IN 1 .. 20 LOOP
    is_filled := true;
    FOR page IN 0 .. pg_relation_size(${literal(keys)}) / current_setting('block_size')::bigint BY 64 LOOP
      SET LOCAL lock_timeout = 100;
      BEGIN
        UPDATE ${keys} SET ${JOINED_COLUMN} = ''
        WHERE ctid >= format('(%s,0)', page)::tid AND ctid < format('(%s,0)', page + 64)::tid AND ${differing(mapping, joins)};
        is_filled := is_filled AND NOT FOUND;
      EXCEPTION WHEN lock_not_available OR deadlock_detected THEN is_filled := false;
      END;
      COMMIT;
    END LOOP;
    IF is_filled THEN RETURN; END IF;
  END LOOP;
  RAISE lock_not_available USING MESSAGE = 'some rows were locked each time';
END $$`;
}

/** The triggers that are there, and whether they fire for replicated rows too. */
export async function joinTriggersThere(client: Statements) {
  const { rows } = await client.query(`
    SELECT tgname AS name, nspname AS schema, relname AS table, (tgenabled = 'A')::text AS always
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE starts_with(tgname, '${TRIGGER}')`);
  return rows.map(({ name, schema, table, always }) => ({
    ...{ name: String(name), table: tableSql({ schema, table }), isAlways: always === 'true' },
  }));
}

export const DROP_FUNCTIONS = `SELECT format('DROP FUNCTION keyroster.%I', proname) AS sql FROM pg_proc
  WHERE pronamespace = to_regnamespace('keyroster') AND starts_with(proname, 'joined_')`;
export const DROP_COLUMNS = `SELECT format('ALTER TABLE %I.%I DROP COLUMN ${JOINED_COLUMN}', nspname, relname) AS sql
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE attname = '${JOINED_COLUMN}' AND NOT attisdropped AND relkind = 'r'`;
