import type { Client } from 'pg';
import { FIELD_NAMES, mappingIn, SHOWN_FIELDS } from '../../../service/postgres/vendor-table/mapping.ts';
import type { TableName } from '../../../service/postgres/vendor-table/table-name.ts';
import { LIFECYCLE_FIELDS } from '../../../shared/record/lifecycle.ts';
import { type Catalogue, type Column, readCatalogue } from '../catalogue/catalogue.ts';
import { hasKeysByValue, keyColumnReason, mayHaveUuidKeys } from '../catalogue/key-columns.ts';
import { examineMapping, type Finding } from '../examine/examine.ts';
import { inTrial } from '../rolled-back.ts';
import { chosenByName, type ProposedField } from './by-name.ts';
import { chooseHint } from './hint.ts';
import { type Choices, mappingFile } from './mapping-file.ts';
import type { Choice } from './proposed-source.ts';
import { chooseStatus } from './status.ts';

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
