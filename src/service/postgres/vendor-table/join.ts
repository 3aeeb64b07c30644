/**
 * The organization of a key that another table has, such as its project's. An index is on one table, so the table of keys gets a column
 * with it, which triggers keep. PostgreSQL keeps the bodies of SQL functions parsed: what is renamed stays theirs. A trigger whose
 * function was dropped with a table or a column leaves the column NULL, and no write of the vendor's fails.
 */
import { isObject } from '../../../shared/record/fields.ts';
import { identifier, literal, parseTableName, tableSql } from './table-name.ts';

export interface Join {
  /** The column of the table of keys that names a row of the other. */
  readonly from: string;
  /** As SQL. */
  readonly table: string;
  /** The columns of that table: with what `from` has, and with the organization. */
  readonly key: string;
  readonly column: string;
  /** The texts that columns of the table of keys have where it is this join. */
  readonly when: Readonly<Record<string, string>>;
}

export const JOINED_COLUMN = 'keyroster_organization_id';
export const JOINS = {
  parse(value: unknown): readonly Join[] | undefined {
    const joins = Array.isArray(value) ? value.map(parseJoin) : [];
    return joins.length > 0 && joins.every(join => join !== undefined) ? joins : undefined;
  },
  rule: 'must be a list of {"from", "table", "key", "column"}, each with "when": {"column": "text"} where it isn\'t for every row',
};

function parseJoin(given: unknown): Join | undefined {
  if (!isObject(given)) return undefined;
  const { from, table, key, column, when = {}, ...unknown } = given;
  const name = parseTableName(table);
  if (!name || !isObject(when) || Object.keys(unknown).length > 0) return undefined;
  const texts = [from, key, column, ...Object.entries(when).flat()];
  if (!texts.every(each => typeof each === 'string' && /^[^\0]+$/.test(each))) return undefined;
  return { from, table: tableSql(name), key, column, when } as Join;
}

/** The organization of the row of keys with this name: that of the first join which finds one. */
export function joinedSql(joins: readonly Join[], row: string, lock = ''): string {
  const found = joins.map(({ from, table, key, column, when }) => {
    const texts = Object.entries(when).map(
      ([name, text]) => `${row}.${identifier(name)}::text = ${literal(text)}`,
    );
    const conditions = [`parent.${identifier(key)} = ${row}.${identifier(from)}`, ...texts].join(' AND ');
    return `(SELECT parent.${identifier(column)}::text FROM ${table} AS parent WHERE ${conditions} LIMIT 1${lock})`;
  });
  return `nullif(coalesce(${found.join(', ')}), '')`;
}

/** The rows whose column isn't what the joins find. */
export function differing(keys: string, joins: readonly Join[]): string {
  return `${JOINED_COLUMN} IS DISTINCT FROM ${joinedSql(joins, keys)}`;
}

/**
 * Those of the keys look the organization up; those of another table lock a row before it changes, and have its keys looked up again
 * after. Their names are after the vendor's in the order by which they fire: those before a row may change what ours read.
 */
export function joinTriggers(keys: string, joins: readonly Join[]) {
  const trigger = (what: string, on: string, table: string, when: string, runs: string) => {
    const name = `zz_keyroster_${what}`;
    const sql = `CREATE OR REPLACE TRIGGER ${name} ${on} ON ${table} FOR EACH ROW ${when} EXECUTE FUNCTION keyroster.joins_${runs}()`;
    return { name, table, sql };
  };
  /** To the letter: what is equal to PostgreSQL may be two organizations to us. */
  const text = (of: string) => `${of}::text COLLATE "C"`;
  const differs = (name: string) => `${text(`OLD.${name}`)} IS DISTINCT FROM ${text(`NEW.${name}`)}`;
  const differ = (columns: readonly string[]) =>
    [...new Set(columns)].map(identifier).map(differs).join(' OR ');
  const read = joins.flatMap(({ from, when }) => [from, ...Object.keys(when)]);
  const changed = `WHEN (NEW.${JOINED_COLUMN} IS NULL OR ${differ([JOINED_COLUMN, ...read])})`;
  return [
    trigger('insert', 'BEFORE INSERT', keys, '', 'set'),
    trigger('update', 'BEFORE UPDATE', keys, changed, 'set'),
    ...joins.flatMap(({ table, key, column }, n) => {
      const moved = `WHEN (${differ([key, column])})`;
      return [
        trigger(`lock_${n}`, 'BEFORE UPDATE', table, moved, 'lock'),
        trigger(`moved_${n}`, 'AFTER UPDATE', table, moved, `moved_${n}`),
        trigger(`rows_${n}`, 'AFTER INSERT OR DELETE', table, '', `moved_${n}`),
      ];
    }),
  ];
}

/** Whoever writes needs no right to the other table: the triggers run as who made them. */
const triggerFunction = (name: string, body: string) => [
  `CREATE OR REPLACE FUNCTION keyroster.joins_${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF to_regproc('keyroster.joined_organization') IS NULL THEN RETURN NEW; END IF; -- dropped with a table or a column
  ${body}
  RETURN NEW;
END $$`,
  `REVOKE EXECUTE ON FUNCTION keyroster.joins_${name} FROM PUBLIC`,
];

/** A snapshot for all of a transaction would not have the keys that were inserted since. */
const refusedWhere = (condition: string) =>
  `IF current_setting('transaction_isolation') NOT LIKE 'read %' ${condition} THEN
    RAISE feature_not_supported USING MESSAGE =
      'keyroster: the organization of API keys changes here: do it in a transaction of READ COMMITTED';
  END IF;`;

/** FOR UPDATE as if its key changed. */
const LOCK = `${refusedWhere('')}
  EXECUTE format('SELECT FROM %s WHERE ctid = $1 FOR UPDATE', TG_RELID::regclass) USING OLD.ctid;`;

/**
 * What makes the column and the functions. An insert locks the row that it finds as a foreign key does, and that is locked FOR UPDATE
 * before its organization changes: so of the two one waits for the other, and then sees it. With one snapshot for all of a transaction
 * it would not: so no row is deleted and inserted anew in such a one.
 */
export function joinStatements(keys: string, joins: readonly Join[]): string[] {
  const sql = (name: string, body: string) =>
    `CREATE FUNCTION keyroster.joined_${name} LANGUAGE sql BEGIN ATOMIC ${body}; END`;
  return [
    `ALTER TABLE ${keys} ADD COLUMN IF NOT EXISTS ${JOINED_COLUMN} text`,
    sql(`organization(${keys}) RETURNS text`, `SELECT ${joinedSql(joins, '($1)', ' FOR KEY SHARE')}`),
    ...triggerFunction('set', `NEW.${JOINED_COLUMN} := keyroster.joined_organization(NEW);`),
    ...triggerFunction('lock', LOCK),
    ...joins.flatMap(({ table, ...join }, n) => {
      const [from, key] = [identifier(join.from), identifier(join.key)];
      const refresh = `UPDATE ${keys} SET ${JOINED_COLUMN} = NULL WHERE ${from} IN (($1).${key}, ($2).${key})`;
      return [
        sql(`refresh_${n}(${table}, ${table}) RETURNS void`, refresh),
        ...triggerFunction(
          `moved_${n}`,
          `${refusedWhere("AND TG_OP = 'INSERT' AND current_setting('keyroster.rows_are_gone', true) = 'yes'")}
  PERFORM keyroster.joined_refresh_${n}(OLD, NEW);
  IF TG_OP = 'DELETE' THEN PERFORM set_config('keyroster.rows_are_gone', 'yes', true); END IF;`,
        ),
      ];
    }),
  ];
}

/**
 * Fills the column in one pass, 64 pages at a time: a row that is written meanwhile is filled by its trigger. What has to wait is undone
 * and tried again for 2 s, before anyone who waits for it is told of a deadlock.
 */
export function fillStatement(keys: string, joins: readonly Join[]): string {
  return `DO $keyroster$
DECLARE page bigint := 0; tries int := 0; found tid[];
BEGIN
  WHILE page <= pg_relation_size(${literal(keys)}) / current_setting('block_size')::bigint LOOP
    SET LOCAL lock_timeout = 100;
    BEGIN
      found := ARRAY(SELECT ctid FROM ${keys}
        WHERE ctid >= format('(%s,0)', page)::tid AND ctid < format('(%s,0)', page + 64)::tid AND ${differing(keys, joins)});
      SET LOCAL search_path TO DEFAULT; -- for the vendor's own triggers
      UPDATE ${keys} SET ${JOINED_COLUMN} = NULL WHERE ctid = ANY (found);
      page := page + 64; tries := 0;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      tries := tries + 1;
      IF tries = 20 THEN RAISE; END IF;
    END;
    COMMIT;
  END LOOP;
END $keyroster$`;
}

/** A statement for each thing that is there, in an order in which they can run. */
export const REMOVE_JOINS = `
  SELECT 1, format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS sql FROM pg_trigger WHERE starts_with(tgname, 'zz_keyroster_')
  UNION ALL SELECT 2, format('DROP FUNCTION keyroster.%I', proname) FROM pg_proc
  WHERE pronamespace = to_regnamespace('keyroster') AND proname ~ '^join(ed|s)_'
  UNION ALL SELECT 3, format('ALTER TABLE %s DROP COLUMN ${JOINED_COLUMN}', attrelid::regclass) FROM pg_attribute
  WHERE attname = '${JOINED_COLUMN}' AND NOT attisdropped AND attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r' AND relpersistence <> 't') ORDER BY 1`;

/** As above, for those that aren't wanted where they are: the functions that they call are made anew for other tables. */
export const REMOVE_OTHER_TRIGGERS = `
  SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS sql FROM pg_trigger WHERE starts_with(tgname, 'zz_keyroster_') AND NOT EXISTS
    (SELECT FROM json_to_recordset($1::json) AS wanted(name text, "table" text) WHERE name = tgname AND to_regclass("table") = tgrelid)`;
