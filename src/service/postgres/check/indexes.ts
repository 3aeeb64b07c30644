import type { Finding } from '../../roster/check.ts';
import { migrations } from '../migrations/schema.ts';
import type { Statements } from '../statements.ts';
import { addedIndexes, createIndexSql, dropIndexSql } from '../vendor-table/indexes.ts';
import type { ListedRelation } from '../vendor-table/own-table.ts';

/** An index that pages need, by its name in the schema of the table. */
interface NeededIndex {
  readonly name: string;
  readonly create: string;
}

/** One that is being made anew is valid until the new one, `…_ccnew`, is. */
const VALID = `
  SELECT nspname AS schema, relname AS name
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE indisvalid AND indisready AND relname ~ '^(api_keys_(pkey|listing)|keyroster_(cursor|listing))'`;

/**
 * Looks for the index of each kind of page, and says what mends it. No plan is read: with the settings of a reader PostgreSQL has one
 * way to read a page, as only its index has its number (`keyroster.listing`) and its order. A view of another hand says nothing of its
 * indexes.
 */
export async function checkIndexes(
  client: Statements,
  { isView, mapping }: ListedRelation,
): Promise<Finding[]> {
  if (isView && !mapping) return [];
  const needed: NeededIndex[] = mapping
    ? addedIndexes(mapping).map(index => ({ name: index.name, create: createIndexSql(mapping, index) }))
    : [PRIMARY_KEY, ...ownIndexes()];
  const { rows } = await client.query(VALID);
  const valid = new Set(rows.map(({ schema, name }) => `${schema}.${name}`));
  const schema = mapping?.table.schema ?? 'keyroster';
  return needed
    .filter(({ name }) => !valid.has(`${schema}.${name}`))
    .map(({ name, create }) => ({
      about: 'indexes',
      problem: `the index ${name}, by which pages are read, is missing or invalid`,
      fix: `${dropIndexSql({ schema, name })}; ${create}`,
    }));
}

const PRIMARY_KEY: NeededIndex = {
  name: 'api_keys_pkey',
  create: 'ALTER TABLE keyroster.api_keys ADD PRIMARY KEY (organization_id, id)',
};

function ownIndexes(): NeededIndex[] {
  return migrations
    .flatMap(({ statements }) => statements)
    .flatMap(statement => {
      const name = /^CREATE INDEX (api_keys_listing\w*) ON/.exec(statement)?.[1];
      const create = statement.replace('INDEX', 'INDEX CONCURRENTLY').replace(/\s+/g, ' ');
      return name ? [{ name, create }] : [];
    });
}
