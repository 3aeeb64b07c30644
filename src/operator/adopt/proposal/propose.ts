import type { Client } from 'pg';
import { filterColumns } from '../../../service/postgres/pages/page-sql.ts';
import {
  FIELD_NAMES,
  type FieldName,
  mappingIn,
  SHOWN_FIELDS,
} from '../../../service/postgres/vendor-table/mapping.ts';
import { readableTable, type TableName } from '../../../service/postgres/vendor-table/table-name.ts';
import { FILTER_NAMES, type FilterName, filters } from '../../../shared/record/filters.ts';
import { LIFECYCLE_FIELDS, type LifecycleField } from '../../../shared/record/lifecycle.ts';
import { type Catalogue, type Column, readCatalogue } from '../catalogue/catalogue.ts';
import { hasKeysByValue, keyColumnReason, mayHaveUuidKeys } from '../catalogue/key-columns.ts';
import { examineMapping, type Finding } from '../examine/examine.ts';
import { inTrial } from '../rolled-back.ts';
import { chosenByName, type ProposedField } from './by-name.ts';
import { chooseHint } from './hint.ts';
import type { Choice, ProposedSource } from './proposed-source.ts';
import { chooseStatus } from './status.ts';

/** In the order of the record. */
export type Choices = Readonly<Record<FieldName, Choice> & Partial<Record<LifecycleField, Choice>>>;

/** What a table seems to say of each field. */
export interface Proposal {
  readonly catalogue: Catalogue;
  readonly choices: Choices;
  /** The columns that seem to have full keys or hashes. No field may come from one. */
  readonly keyColumns: readonly { readonly name: string; readonly why: string }[];
}

const NO_ROWS: Finding = { kind: 'look', field: null, problem: 'no row shows it' };
type Choose = (columns: readonly Column[], table: TableName) => Choice | null;
const choose: Readonly<Record<ProposedField, Choose>> = {
  ...chosenByName,
  partial_key_hint: chooseHint,
  status: chooseStatus,
};

export function propose(catalogue: Catalogue): Proposal {
  const { columns, table } = catalogue;
  const entries = [...FIELD_NAMES, ...LIFECYCLE_FIELDS].map(
    field => [field, choose[field](columns.filter(allowedFor(field)), table)] as const,
  );
  const keyColumns = columns.flatMap(column => {
    const why = keyColumnReason(column);
    return why === null ? [] : [{ name: column.name, why }];
  });
  const choices = entries.filter(([, choice]) => choice !== null);
  return { catalogue, choices: Object.fromEntries(choices) as unknown as Choices, keyColumns };
}

/** A hint and a name are shown to people, so they don't come from random IDs either. */
function allowedFor(field: ProposedField): (column: Column) => boolean {
  const isShown = SHOWN_FIELDS.some(name => name === field);
  return column =>
    keyColumnReason(column) === null &&
    !(isShown && hasKeysByValue(column)) &&
    !(field !== 'id' && mayHaveUuidKeys(column));
}

/** What a table seems to say, tried on a sample by the rules by which pages are read: only what passes is sure. */
export async function triedProposal(client: Client, table: string): Promise<Proposal> {
  const catalogue = await inTrial(client, 'READ ONLY', () => readCatalogue(client, table));
  const proposal = propose(catalogue);
  const hasRows = catalogue.columns.some(({ sample }) => sample?.length);
  const file = mappingFile(catalogue, proposal.choices);
  const findings = await examineMapping(client, mappingIn({ ...file }));
  const choices = Object.entries(proposal.choices).map(([name, choice]) => {
    const found = findings.filter(({ field }) => field === `fields.${name}`);
    return [name, afterTrial(choice, hasRows ? found : [...found, NO_ROWS])];
  });
  return { ...proposal, choices: Object.fromEntries(choices) };
}

function afterTrial(choice: Choice, found: readonly Finding[]): Choice {
  if (choice.source.todo !== undefined || found.length === 0) return choice;
  const told = found.map(({ problem }) => problem).join('; ');
  if (found.every(({ kind }) => kind === 'look'))
    return { ...choice, sure: false, why: `${choice.why}; ${told}` };
  const todo = `${told}: correct the rows, or name another source, and delete this "todo"`;
  return { source: { ...choice.source, todo }, sure: false, why: todo };
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
