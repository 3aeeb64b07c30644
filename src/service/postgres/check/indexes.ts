import { FILTER_NAMES, type FilterName } from '../../../shared/record/filters.ts';
import type { Finding } from '../../roster/check.ts';
import { filterCombinations, indexFindings } from '../../roster/page-indexes.ts';
import { FILTERS_BY_ARGUMENT, filterColumns } from '../page-sql.ts';
import { migrations } from '../schema.ts';
import type { Statements } from '../statements.ts';
import { type AddedIndex, addedIndexes, createIndexSql } from '../vendor-table/indexes.ts';
import type { Mapping } from '../vendor-table/mapping.ts';
import type { ListedRelation } from '../vendor-table/own-table.ts';
import { identifier } from '../vendor-table/table-name.ts';

/** An index that pages need. */
interface NeededIndex {
  readonly schema: string;
  readonly name: string;
  readonly create: string;
}

/** That of pages with these filters, or the one that finds the key of a cursor (`null`). */
type NeededBy = (filters: readonly FilterName[] | null) => NeededIndex;

interface Indexes {
  readonly findings: readonly Finding[];
  /** For how many combinations of filters they were looked for. */
  readonly filters: number;
}

/**
 * Looks for the index of each kind of page, and says what mends it. No plan is read: with the settings of a reader PostgreSQL has one
 * way to read a page, as only its index has its number (`keyroster.listing`) and its order.
 */
export async function checkIndexes(client: Statements, listed: ListedRelation): Promise<Indexes> {
  const { isView, mapping } = listed;
  // A view of another hand says nothing of its indexes.
  if (isView && !mapping) return { findings: [], filters: 0 };
  const neededBy = mapping ? indexOn(mapping) : ownIndex;
  const validity = await indexValidity(client);
  const combinations = filterCombinations(mapping?.filters ?? FILTER_NAMES);
  const findings = indexFindings(combinations, filters => {
    const needed = neededBy(filters);
    const name = fullName(needed);
    const isValid = validity.get(name);
    if (isValid === undefined) return { name, problem: "doesn't have it", fix: needed.create };
    const problem = isValid ? null : 'has only a part of it, as its making was interrupted';
    return { name, problem, fix: `REINDEX INDEX CONCURRENTLY ${name}` };
  });
  return { findings, filters: combinations.length };
}

const fullName = ({ schema, name }: Pick<NeededIndex, 'schema' | 'name'>) =>
  `${identifier(schema)}.${identifier(name)}`;

/** Whether each index is valid, by its name. One that is being made anew is valid until the new one, `…_ccnew`, is. */
async function indexValidity(client: Statements): Promise<Map<string, boolean>> {
  const { rows } = await client.query(`
    SELECT nspname AS schema, relname AS name, (indisvalid AND indisready)::text AS valid
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relname ~ '^(api_keys_(pkey|listing)|keyroster_(cursor|listing))'`);
  return new Map(rows.map(index => [fullName(index), index.valid === 'true']));
}

const STATEMENTS = migrations.flatMap(({ statements }) => statements);

const PRIMARY_KEY: NeededIndex = {
  schema: 'keyroster',
  name: 'api_keys_pkey',
  create: 'ALTER TABLE keyroster.api_keys ADD PRIMARY KEY (organization_id, id)',
};

const ownIndex: NeededBy = filters => {
  if (filters === null) return PRIMARY_KEY;
  const columns = FILTERS_BY_ARGUMENT.filter(each => filters.includes(each)).map(each => filterColumns[each]);
  const name = ['api_keys_listing', ...columns].join('_');
  const definition = STATEMENTS.find(each => each.startsWith(`CREATE INDEX ${name} ON`)) ?? '';
  const create = definition.replace('INDEX', 'INDEX CONCURRENTLY').replace(/\s+/g, ' ');
  return { schema: 'keyroster', name, create };
};

function indexOn(mapping: Mapping): NeededBy {
  return filters => {
    const indexes = addedIndexes({ ...mapping, filters: filters ?? [] });
    // The first one finds the key of a cursor. The last one is of all filters of the mapping, here of those of the page.
    const index = (filters === null ? indexes[0] : indexes.at(-1)) as AddedIndex;
    return { schema: mapping.table.schema, name: index.name, create: createIndexSql(mapping, index) };
  };
}
