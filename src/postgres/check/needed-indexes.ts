import type { FilterName } from '../../roster/filters.ts';
import type { PlanCause } from '../../roster/page-shapes.ts';
import { type AddedIndex, addedIndexes, createIndexSql } from '../adoption/mapping/indexes.ts';
import type { Mapping } from '../adoption/mapping/mapping.ts';
import { identifier } from '../adoption/mapping/table-name.ts';
import { FILTERS_BY_ARGUMENT, filterColumns } from '../page-sql.ts';
import { migrations } from '../schema.ts';
import type { Statements } from '../statements.ts';
import type { ListedRelation } from './adopted-mapping.ts';

/** An index that pages need. */
interface NeededIndex {
  readonly schema: string;
  readonly name: string;
  readonly create: string;
}

/** The statement that mends plans of our own table, or of the vendor's that this is the mapping of. A view of another one is made anew. */
export async function planFixes(
  client: Statements,
  { isView, mapping, renamed }: ListedRelation,
): Promise<(cause: PlanCause) => string> {
  if (isView && (!mapping || renamed)) return () => 'keyroster adopt --mapping FILE --apply';
  const needed = mapping ? indexOn(mapping) : ownIndex;
  const validity = await indexValidity(client);
  return ({ index: filters }) => {
    const { schema, name, create } = needed(filters);
    const isValid = validity.get(`${schema}.${name}`);
    const index = `${identifier(schema)}.${identifier(name)}`;
    if (isValid === false) return `REINDEX INDEX CONCURRENTLY ${index}`;
    // One that is valid and isn't used has another definition.
    return isValid ? `DROP INDEX CONCURRENTLY ${index}; ${create}` : create;
  };
}

const STATEMENTS = migrations.flatMap(({ statements }) => statements);

/** The index of pages with these filters, or the one that finds the key of a cursor (`null`). */
function ownIndex(filters: readonly FilterName[] | null): NeededIndex {
  if (filters === null) return PRIMARY_KEY;
  const columns = FILTERS_BY_ARGUMENT.filter(each => filters.includes(each)).map(each => filterColumns[each]);
  const name = ['api_keys_listing', ...columns].join('_');
  const definition = STATEMENTS.find(each => each.startsWith(`CREATE INDEX ${name} ON`)) ?? '';
  const create = definition.replace('INDEX', 'INDEX CONCURRENTLY').replace(/\s+/g, ' ');
  return { schema: 'keyroster', name, create };
}

const PRIMARY_KEY: NeededIndex = {
  schema: 'keyroster',
  name: 'api_keys_pkey',
  create: 'ALTER TABLE keyroster.api_keys ADD PRIMARY KEY (organization_id, id)',
};

function indexOn(mapping: Mapping): typeof ownIndex {
  return filters => {
    const indexes = addedIndexes({ ...mapping, filters: filters ?? [] });
    // The first one finds the key of a cursor. The last one is of all filters of the mapping, here of those of the page.
    const index = (filters === null ? indexes[0] : indexes.at(-1)) as AddedIndex;
    return { schema: mapping.table.schema, name: index.name, create: createIndexSql(mapping, index) };
  };
}

/** Whether each index is valid, by its schema and name. One whose making was interrupted isn't. */
async function indexValidity(client: Statements): Promise<Map<string, boolean>> {
  const { rows } = await client.query(`
    SELECT nspname || '.' || relname AS name, (indisvalid AND indisready)::text AS valid
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace`);
  return new Map(rows.map(({ name, valid }) => [name, valid === 'true']));
}
