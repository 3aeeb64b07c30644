import { schemaVersion } from '../../service/postgres/migrations/schema.ts';
import type { Statements } from '../../service/postgres/statements.ts';
import {
  type AddedIndex,
  addedIndexes,
  createIndexSql,
  dropIndexSql,
  joinIndexes,
  OUR_INDEX,
} from '../../service/postgres/vendor-table/indexes.ts';
import {
  fillStatement,
  JOINED_COLUMN,
  joinStatements,
  joinTriggers,
  REMOVE_JOINS,
  REMOVE_OTHER_TRIGGERS,
} from '../../service/postgres/vendor-table/join.ts';
import { joinsOf, type Mapping } from '../../service/postgres/vendor-table/mapping.ts';
import { relationKind } from '../../service/postgres/vendor-table/own-table.ts';
import { literal, tableSql } from '../../service/postgres/vendor-table/table-name.ts';
import { viewComment, viewSql } from '../../service/postgres/vendor-table/view.ts';
import { Refused } from '../../shared/record/faults.ts';

/** One thing that is done to the database, whole or not at all. */
export interface Step {
  /** What it does, as a person reads it. */
  readonly what: string;
  /** Several are one transaction. One that makes or drops an index concurrently stands alone. */
  readonly statements: readonly string[];
  /** What removes the rest of it when it fails. */
  readonly undo?: string;
}

interface ExistingIndex {
  readonly schema: string;
  readonly name: string;
  /** The table that it is on. */
  readonly table: string;
  readonly isValid: boolean;
}

/**
 * What is left to do until the database serves this mapping. New indexes come before the view, and old ones go after it, so that a
 * service that runs meanwhile always has the indexes of the view that it reads. Throws `Refused`.
 */
export async function stepsToAdopt(client: Statements, mapping: Mapping): Promise<Step[]> {
  const { schema, table } = mapping.table;
  const [ofJoins, ofPages] = [joinIndexes(mapping), addedIndexes(mapping)];
  const wanted = [...ofJoins, ...ofPages];
  const existing = await existingIndexes(client);
  const isWanted = (index: ExistingIndex) => wanted.some(({ name }) => name === index.name);
  const taken = existing.find(index => isWanted(index) && (index.schema !== schema || index.table !== table));
  if (taken)
    throw new Refused(
      `adopt: the index ${taken.name} is of ${tableSql(taken)}, as a table was renamed: stop the service, run "keyroster adopt --remove", then this again`,
    );
  const isThere = ({ name }: AddedIndex) => existing.some(index => index.name === name && index.isValid);
  const make = (indexes: readonly AddedIndex[]) =>
    indexes
      .filter(index => !isThere(index))
      .map(index => ({
        what: `make the index ${index.name}, for ${index.purpose}`,
        statements: [createIndexSql(mapping, index)],
        undo: dropIndexSql({ schema, name: index.name }),
      }));
  return [
    {
      what: 'let whoever writes into the table run keyroster.listing, which its indexes use',
      statements: ['GRANT EXECUTE ON FUNCTION keyroster.listing(text, text, text, text) TO PUBLIC'],
    },
    ...existing
      .filter(index => isWanted(index) && !index.isValid)
      .map(index => drop(index, 'which is not valid')),
    ...make(ofJoins),
    ...(ofJoins.length > 0 ? await stepsToJoin(client, mapping) : []),
    ...make(ofPages),
    {
      what: `make the view keyroster.api_keys over ${tableSql(mapping.table)}`,
      statements: [...(await makeWay(client)), ...viewStatements(mapping), ...(await grants(client))],
    },
    ...existing.filter(index => !isWanted(index)).map(index => drop(index, 'which nothing uses any more')),
    ...(ofJoins.length > 0 ? [] : await stepsOf(client, REMOVE_JOINS)),
  ];
}

/** A lock on one table at a time, since an application may lock them in any order. It is filled last, so that no row is left out. */
async function stepsToJoin(client: Statements, mapping: Mapping): Promise<Step[]> {
  const [keys, joins] = [tableSql(mapping.table), joinsOf(mapping)];
  const triggers = joinTriggers(keys, joins);
  const made = (await stepsOf(client, REMOVE_JOINS)).map(({ what }) => what);
  const before = made.filter(sql => sql.startsWith('DROP FUNCTION keyroster.joined_'));
  return [
    ...(await stepsOf(client, REMOVE_OTHER_TRIGGERS, [JSON.stringify(triggers)])),
    {
      what: `make the column ${JOINED_COLUMN}`,
      statements: [...before, ...joinStatements(keys, joins)],
    },
    ...triggers.map(({ name, table, sql }) => ({
      what: `make the trigger ${name} of ${table}`,
      statements: [sql, `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name}`],
    })),
    { what: `fill ${JOINED_COLUMN}`, statements: [fillStatement(keys, joins)] },
  ];
}

async function stepsOf(client: Statements, text: string, values: string[] = []): Promise<Step[]> {
  const { rows } = await client.query(text, values);
  return rows.map(({ sql }) => ({ what: sql, statements: [sql] }));
}

/** The indexes that an adoption has made, on any table: another one may have been adopted before. */
async function existingIndexes(client: Statements): Promise<ExistingIndex[]> {
  const { rows } = await client.query(`
    SELECT nspname AS schema, pg_class.relname AS name, indexed.relname AS table, (indisvalid AND indisready)::text AS valid
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
      JOIN pg_class AS indexed ON indexed.oid = indrelid
    WHERE nspname <> 'keyroster' AND pg_class.relname ~ '${OUR_INDEX}' ORDER BY name`);
  return rows.map(({ valid, ...index }) => ({ ...index, isValid: valid === 'true' }));
}

/** Takes back all that an adoption has made. The vendor's rows were never touched. */
export async function stepsToRemove(client: Statements): Promise<Step[]> {
  const kind = await relationKind(client, 'api_keys');
  const isAside = kind !== 'table' && (await relationKind(client, 'own_api_keys')) === 'table';
  const done = [
    ...(kind === 'view' ? ['remove the view keyroster.api_keys'] : []),
    ...(isAside ? ["put Keyroster's own table back"] : []),
  ];
  const restore: Step = {
    what: done.join(', and '),
    statements: [
      'DROP VIEW IF EXISTS keyroster.api_keys',
      'DROP FUNCTION IF EXISTS keyroster.refuse_write()',
      ...(isAside ? ['ALTER TABLE keyroster.own_api_keys RENAME TO api_keys'] : []),
    ],
  };
  const existing = await existingIndexes(client);
  return [
    ...(done.length > 0 ? [restore] : []),
    ...existing.map(index => drop(index, 'which the view used')),
    ...(await stepsOf(client, REMOVE_JOINS)),
  ];
}

/** Our own table stays, under another name, so that nothing is lost. */
async function makeWay(client: Statements): Promise<string[]> {
  const kind = await relationKind(client, 'api_keys');
  if (kind === 'view') return ['DROP VIEW keyroster.api_keys'];
  // Where migrate has not run yet, it makes the table before.
  const isThere = kind === 'table' || (await schemaVersion(client)) === 0;
  return isThere ? ['ALTER TABLE keyroster.api_keys RENAME TO own_api_keys'] : [];
}

function viewStatements(mapping: Mapping): string[] {
  const table = literal(tableSql(mapping.table));
  return [
    `CREATE OR REPLACE FUNCTION keyroster.refuse_write() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE restrict_violation USING MESSAGE = 'keyroster.api_keys is a view that is only read: the API keys are in ' || TG_ARGV[0];
END $$`,
    viewSql(mapping),
    `COMMENT ON VIEW keyroster.api_keys IS ${viewComment(mapping)}`,
    `CREATE TRIGGER refuse_write INSTEAD OF INSERT OR UPDATE OR DELETE ON keyroster.api_keys
FOR EACH ROW EXECUTE FUNCTION keyroster.refuse_write(${table})`,
  ];
}

/** The role that `deploy/postgres-roles.sql` makes for the service. */
const READER = 'keyroster_reader';

/** Whoever may read our own table, or the view before, may read the new one, and so may the service's role if there is one. */
async function grants(client: Statements): Promise<string[]> {
  const { rows } = await client.query(`
    SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS reader
    FROM pg_class, aclexplode(relacl) WHERE pg_class.oid = to_regclass('keyroster.api_keys')
      AND privilege_type = 'SELECT' AND grantee <> relowner
    UNION SELECT rolname FROM pg_roles WHERE rolname = '${READER}' ORDER BY reader`);
  const tables = 'keyroster.migrations, keyroster.admin_keys, keyroster.disabled_organizations';
  const own = [`GRANT USAGE ON SCHEMA keyroster TO ${READER}`, `GRANT SELECT ON ${tables} TO ${READER}`];
  return [
    ...(rows.some(({ reader }) => reader === READER) ? own : []),
    ...rows.map(({ reader }) => `GRANT SELECT ON keyroster.api_keys TO ${reader}`),
  ];
}

function drop(index: ExistingIndex, why: string): Step {
  return { what: `drop the index ${index.name}, ${why}`, statements: [dropIndexSql(index)] };
}
