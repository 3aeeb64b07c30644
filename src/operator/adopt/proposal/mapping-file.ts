import { filterColumns } from '../../../service/postgres/pages/page-sql.ts';
import type { FieldName } from '../../../service/postgres/vendor-table/mapping.ts';
import { readableTable } from '../../../service/postgres/vendor-table/table-name.ts';
import { FILTER_NAMES, type FilterName, filters } from '../../../shared/record/filters.ts';
import type { LifecycleField } from '../../../shared/record/lifecycle.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Choice, ProposedSource } from './proposed-source.ts';

/** In the order of the record. */
export type Choices = Readonly<Record<FieldName, Choice> & Partial<Record<LifecycleField, Choice>>>;

/** The file of a mapping (`mapping.ts`), in which a `todo` is left where there is no choice. */
export interface MappingFile {
  readonly table: string;
  readonly fields: Readonly<Record<FieldName, ProposedSource>>;
  readonly filters: readonly string[];
}

export function mappingFile({ table }: Pick<Catalogue, 'table'>, choices: Choices): MappingFile {
  const sources = Object.entries(choices).map(([name, { source }]) => [name, source]);
  const fields: MappingFile['fields'] = Object.fromEntries(sources);
  const served = FILTER_NAMES.filter(name => isWorthFiltering(name, fields));
  return { table: readableTable(table), fields, filters: served.map(name => filters[name].parameter) };
}

/** Not by what is the same for all keys of an organization. What is NULL for all needs no index, so it costs nothing. */
function isWorthFiltering(filter: FilterName, fields: MappingFile['fields']): boolean {
  const source = fields[filterColumns[filter]];
  if ('constant' in source) return source.constant === null;
  return !('column' in source) || JSON.stringify(source) !== JSON.stringify(fields.organization_id);
}
