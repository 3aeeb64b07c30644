import { createHash } from 'node:crypto';
import type { FilterName } from '../../../shared/record/filters.ts';
import { FILTERS_BY_ARGUMENT, filterColumns } from '../pages/page-sql.ts';
import { joinsOf, type Mapping } from './mapping.ts';
import { identifier, tableSql } from './table-name.ts';
import { expressionsOf } from './view.ts';

/** Matches the name of any index that an adoption has made. */
export const OUR_INDEX = '^keyroster_(cursor|join|listing)[a-z_]*_[0-9a-f]{8}$';

export interface AddedIndex {
  /** It has a hash of the definition, so a name tells what the index is. */
  readonly name: string;
  /** The columns, in parentheses. */
  readonly columns: string;
  readonly purpose: string;
}

/** An index for each combination of the served filters, and the one that finds the cursor. */
export function addedIndexes(mapping: Mapping): readonly AddedIndex[] {
  const of = expressionsOf(mapping);
  const index = indexOn(mapping);
  const cursor = index('cursor', `(${of.organization_id}, ${of.id})`, 'the key that a cursor names');
  const pages = combinations(indexedFilters(mapping)).map(filters => {
    const args = FILTERS_BY_ARGUMENT.map(name => (filters.includes(name) ? of[filterColumns[name]] : 'NULL'));
    const listing = `keyroster.listing(${[of.organization_id, ...args].join(', ')})`;
    const columns = filters.map(name => filterColumns[name]);
    const what = columns.length > 0 ? `pages by ${columns.join(', ')}` : 'pages without a filter';
    return index(['listing', ...columns].join('_'), `(${listing}, ${of.created_at}, ${of.id})`, what);
  });
  return [cursor, ...pages];
}

/** By which a trigger finds the keys of a row that changes. */
export function joinIndexes(mapping: Mapping): readonly AddedIndex[] {
  const columns = [...new Set(joinsOf(mapping).map(({ from }) => identifier(from)))];
  return columns.map(from => indexOn(mapping)('join', `(${from})`, `the keys of a ${from}`));
}

/** A filter by what is NULL in every row needs no index: PostgreSQL knows that no row has the value. */
function indexedFilters({ fields, filters }: Mapping): FilterName[] {
  const isNull = (name: FilterName) => {
    const source = fields[filterColumns[name]];
    return 'constant' in source && source.constant === null;
  };
  return filters.filter(name => !isNull(name));
}

function combinations<T>(all: readonly T[]): T[][] {
  return all.reduce<T[][]>((found, each) => found.flatMap(some => [some, [...some, each]]), [[]]);
}

function indexOn({ table }: Mapping) {
  return (what: string, columns: string, purpose: string): AddedIndex => {
    const hash = createHash('sha256')
      .update(`${tableSql(table)} ${columns}`)
      .digest('hex')
      .slice(0, 8);
    return { name: `keyroster_${what.replaceAll('_id', '')}_${hash}`, columns, purpose };
  };
}

export function createIndexSql({ table }: Mapping, { name, columns }: AddedIndex): string {
  return `CREATE INDEX CONCURRENTLY ${name} ON ${tableSql(table)} ${columns}`;
}

export function dropIndexSql({ schema, name }: { schema: string; name: string }): string {
  return `DROP INDEX CONCURRENTLY IF EXISTS ${identifier(schema)}.${name}`;
}
