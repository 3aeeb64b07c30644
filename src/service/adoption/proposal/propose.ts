import { FILTER_NAMES, type FilterName, filters } from '../../../shared/record/filters.ts';
import { LIFECYCLE_FIELDS, type LifecycleField } from '../../../shared/record/lifecycle.ts';
import { filterColumns } from '../../postgres/page-sql.ts';
import { FIELD_NAMES, type FieldName, SHOWN_FIELDS } from '../../postgres/vendor-table/mapping.ts';
import { readableTable, type TableName } from '../../postgres/vendor-table/table-name.ts';
import type { Catalogue, Column } from '../catalogue/catalogue.ts';
import { hasKeysByValue, keyColumnReason, mayHaveUuidKeys } from '../catalogue/key-columns.ts';
import { chosenByName, type ProposedField } from './by-name.ts';
import type { Choice, ProposedSource } from './choice.ts';
import { chooseHint } from './hint.ts';
import { chooseStatus } from './status.ts';

/** In the order of the record. */
export type Choices = Readonly<Record<FieldName, Choice> & Partial<Record<LifecycleField, Choice>>>;

/** What a table seems to say of each field. */
export interface Proposal {
  readonly choices: Choices;
  /** The columns that seem to have full keys or hashes. No field may come from one. */
  readonly keyColumns: readonly { readonly name: string; readonly why: string }[];
}

type Choose = (columns: readonly Column[], table: TableName) => Choice | null;
const choose: Readonly<Record<ProposedField, Choose>> = {
  ...chosenByName,
  partial_key_hint: chooseHint,
  status: chooseStatus,
};

export function propose({ columns, table }: Catalogue): Proposal {
  const entries = [...FIELD_NAMES, ...LIFECYCLE_FIELDS].map(
    field => [field, choose[field](columns.filter(allowedFor(field)), table)] as const,
  );
  const keyColumns = columns.flatMap(column => {
    const why = keyColumnReason(column);
    return why === null ? [] : [{ name: column.name, why }];
  });
  const choices = entries.filter(([, choice]) => choice !== null);
  return { choices: Object.fromEntries(choices) as unknown as Choices, keyColumns };
}

/** A hint and a name are shown to people, so they don't come from random IDs either. */
function allowedFor(field: ProposedField): (column: Column) => boolean {
  const isShown = SHOWN_FIELDS.some(name => name === field);
  return column =>
    keyColumnReason(column) === null &&
    !(isShown && hasKeysByValue(column)) &&
    !(field !== 'id' && mayHaveUuidKeys(column, isShown));
}

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
