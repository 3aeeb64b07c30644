import { FILTER_NAMES, type FilterName, filters } from '../../../roster/filters.ts';
import { filterColumns } from '../../page-sql.ts';
import type { Catalogue, Column } from '../catalogue/catalogue.ts';
import { hasKeysByValue, keyColumnReason } from '../catalogue/key-columns.ts';
import { FIELD_NAMES, type FieldName } from '../mapping/mapping.ts';
import { parseSql } from '../mapping/parse-mapping.ts';
import { readableTable, type TableName } from '../mapping/table-name.ts';
import { type Choice, type ProposedSource, textSource, undecided } from './choice.ts';
import { chooseCreationTime, creationTimeOf } from './creation-time.ts';
import { chooseCreatorType } from './creator-type.ts';
import { chooseHint, hintOf } from './hint.ts';
import { chooseCreator, chooseId, chooseWorkspace } from './identifiers.ts';
import { chooseName } from './name.ts';
import { chooseOrganization } from './organization.ts';
import { chooseStatus, statusOf } from './status.ts';

/** What a table seems to say of each field. */
export interface Proposal {
  readonly choices: Readonly<Record<FieldName, Choice>>;
  /** The columns that seem to have full keys or hashes. No field may come from one. */
  readonly keyColumns: readonly { readonly name: string; readonly why: string }[];
}

const choose: Readonly<Record<FieldName, (columns: readonly Column[], table: TableName) => Choice>> = {
  organization_id: chooseOrganization,
  id: chooseId,
  name: chooseName,
  created_at: chooseCreationTime,
  created_by_id: chooseCreator,
  created_by_type: chooseCreatorType,
  partial_key_hint: chooseHint,
  status: chooseStatus,
  workspace_id: chooseWorkspace,
};

export function propose({ columns, table }: Catalogue): Proposal {
  const entries = FIELD_NAMES.map(field => [
    field,
    allowedInFile(choose[field](columns.filter(allowedFor(field)), table)),
  ]);
  const keyColumns = columns.flatMap(column => {
    const why = keyColumnReason(column);
    return why === null ? [] : [{ name: column.name, why }];
  });
  return { choices: Object.fromEntries(entries), keyColumns };
}

/** A column or a label may have a semicolon in its name, which no expression of a mapping may have. */
function allowedInFile(choice: Choice): Choice {
  if (!('sql' in choice.source) || parseSql(choice.source.sql) !== undefined) return choice;
  return undecided(
    'the name of its column or a label has a semicolon or a comment: rename it, or give another source',
  );
}

/** A hint and a name are shown to people, so they don't come from random IDs either. */
function allowedFor(field: FieldName): (column: Column) => boolean {
  const isShown = field === 'partial_key_hint' || field === 'name';
  return column => keyColumnReason(column) === null && !(isShown && hasKeysByValue(column));
}

/** The field by a column that a person names; `null`: it may not be, as it has keys or hashes. */
export function choiceOf(field: FieldName, column: Column): Choice | null {
  return allowedFor(field)(column) ? allowedInFile(fromColumn(field, column)) : null;
}

function fromColumn(field: FieldName, column: Column): Choice {
  if (field === 'created_at') return creationTimeOf(column);
  if (field === 'status') return statusOf(column);
  if (field === 'partial_key_hint') return hintOf(column);
  const whereNull = field === 'name' ? '' : field === 'created_by_id' ? 'unknown' : null;
  return { source: textSource(column, whereNull), sure: true, why: 'named by you' };
}

/** The file of a mapping (`mapping.ts`), in which a `todo` is left where there is no choice. */
export interface MappingFile {
  readonly table: string;
  readonly fields: Readonly<Record<FieldName, ProposedSource>>;
  readonly filters: readonly string[];
}

export function mappingFile(
  { table }: Pick<Catalogue, 'table'>,
  sources: MappingFile['fields'],
): MappingFile {
  const served = FILTER_NAMES.filter(name => isWorthFiltering(name, sources));
  return {
    table: readableTable(table),
    fields: sources,
    filters: served.map(name => filters[name].parameter),
  };
}

/** Not by what is the same for all keys of an organization. What is NULL for all needs no index, so it costs nothing. */
function isWorthFiltering(filter: FilterName, sources: MappingFile['fields']): boolean {
  const source = sources[filterColumns[filter]];
  if ('constant' in source) return source.constant === null;
  const text = sqlOrColumn(source);
  return text === undefined || text !== sqlOrColumn(sources.organization_id);
}

function sqlOrColumn(source: ProposedSource): string | undefined {
  if ('column' in source) return `column ${source.column}`;
  return 'sql' in source ? `sql ${source.sql}` : undefined;
}
