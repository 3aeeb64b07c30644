import type { Statements } from '../../statements.ts';
import { type AddedIndex, addedIndexes, isOurs } from '../mapping/indexes.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { emptyCopy, inTrial } from '../trial.ts';

export interface ExistingIndex {
  readonly schema: string;
  readonly name: string;
  /** The table that it is on. */
  readonly table: string;
  readonly isValid: boolean;
  /** What it is of, with the names that the columns have now. */
  readonly definition: string;
  /** A number that no other index has, as text. */
  readonly oid: string;
}

/** A renamed column has its new name here, and a classification of its operators, order and condition follows the columns. */
const DEFINITION = `
  (SELECT string_agg(pg_get_indexdef(indexrelid, number, false), ', ' ORDER BY number) FROM generate_series(1, indnatts) AS number)
  || concat_ws(' ', '', indclass::text, indcollation::text, indoption::text, indpred::text)`;

/** The indexes that an adoption has made, on any table: another one may have been adopted before. */
export async function existingIndexes(client: Statements): Promise<ExistingIndex[]> {
  const { rows } = await client.query(`
    SELECT nspname AS schema, pg_class.relname AS name, indexed.relname AS table, (indisvalid AND indisready)::text AS valid,
      ${DEFINITION} AS definition, indexrelid::text AS oid
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
      JOIN pg_class AS indexed ON indexed.oid = indrelid
    WHERE nspname <> 'keyroster' ORDER BY name`);
  return rows
    .filter(({ name }) => isOurs(name))
    .map(({ valid, ...index }) => ({ ...index, isValid: valid === 'true' }));
}

/**
 * Those of the indexes that aren't what the mapping wants by their names, since another table or column has taken the name of the
 * one that they were made for. PostgreSQL writes definitions in its own words, so they are compared with indexes of an empty
 * temporary table, which is never committed. Where the role may not make one, their tables alone are looked at.
 */
export async function outdatedIndexes(
  client: Statements,
  mapping: Mapping,
  existing: readonly ExistingIndex[],
): Promise<ExistingIndex[]> {
  const { schema, table } = mapping.table;
  const isOnTable = (index: ExistingIndex) => index.schema === schema && index.table === table;
  const wanted = addedIndexes(mapping);
  const named = existing.filter(({ name }) => wanted.some(index => index.name === name));
  const others = named.filter(index => !isOnTable(index));
  const onTable = named.filter(isOnTable);
  if (onTable.length === 0) return others;
  const definitions = await wantedDefinitions(client, mapping, wanted);
  const changed = onTable.filter(
    ({ name, definition }) => (definitions.get(name) ?? definition) !== definition,
  );
  return [...others, ...changed];
}

/** The same index by the name that it has once its own one is needed for another. */
export function aside(index: ExistingIndex): ExistingIndex {
  return { ...index, name: `keyroster_listing_outdated_${Number(index.oid).toString(16).padStart(8, '0')}` };
}

async function wantedDefinitions(
  client: Statements,
  { table }: Mapping,
  wanted: readonly AddedIndex[],
): Promise<Map<string, string>> {
  return inTrial(client, async () => {
    const copy = await emptyCopy(client, table);
    if (copy === null) return new Map();
    for (const { name, columns } of wanted) await client.query(`CREATE INDEX ${name} ON ${copy} ${columns}`);
    const { rows } = await client.query(`
      SELECT relname AS name, ${DEFINITION} AS definition FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE relnamespace = pg_my_temp_schema()`);
    return new Map(rows.map(({ name, definition }) => [name, definition]));
  });
}
