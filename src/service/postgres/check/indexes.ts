import type { Finding } from '../../roster/check.ts';
import { migrations } from '../schema.ts';
import type { Statements } from '../statements.ts';
import { addedIndexes, createIndexSql } from '../vendor-table/indexes.ts';
import type { ListedRelation } from '../vendor-table/own-table.ts';
import { identifier } from '../vendor-table/table-name.ts';

/** An index that pages need, by its name in the schema of the table. */
interface NeededIndex {
  readonly name: string;
  readonly create: string;
}

/** Whether each is valid. One that is being made anew is valid until the new one, `…_ccnew`, is. */
const VALIDITY = `
  SELECT nspname AS schema, relname AS name, (indisvalid AND indisready)::text AS valid
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE relname ~ '^(api_keys_(pkey|listing)|keyroster_(cursor|listing))'`;

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
  const fullName = (schema: string, name: string) => `${identifier(schema)}.${identifier(name)}`;
  const { rows } = await client.query(VALIDITY);
  const validity = new Map(rows.map(({ schema, name, valid }) => [fullName(schema, name), valid]));
  return needed.flatMap(({ name, create }): Finding[] => {
    const full = fullName(mapping?.table.schema ?? 'keyroster', name);
    const isValid = validity.get(full);
    if (isValid === 'true') return [];
    const is = isValid ? 'is only a part, as its making was interrupted' : 'is missing';
    const fix = isValid ? `REINDEX INDEX CONCURRENTLY ${full}` : create;
    return [{ about: 'indexes', problem: `the index ${name}, by which pages are read, ${is}`, fix }];
  });
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
