import type { Client } from 'pg';
import { problemTexts } from '../../../shared/record/faults.ts';
import { parseMapping } from '../../postgres/vendor-table/mapping.ts';
import { type Catalogue, readCatalogue } from '../catalogue/catalogue.ts';
import { examineMapping, type Finding } from '../examine/examine.ts';
import { inTrial } from '../trial.ts';
import type { Choice } from './choice.ts';
import { type MappingFile, mappingFile, type Proposal, propose } from './propose.ts';

export interface TriedProposal extends Proposal {
  readonly catalogue: Catalogue;
}

/** What a table seems to say, tried on a sample by the rules by which pages are read: only what passes is sure. */
export async function triedProposal(client: Client, table: string): Promise<TriedProposal> {
  const catalogue = await inTrial(client, 'READ ONLY', () => readCatalogue(client, table));
  const proposal = propose(catalogue);
  const findings = await findingsOf(client, mappingFile(catalogue, proposal.choices));
  const choices = Object.entries(proposal.choices).map(([name, choice]) => {
    const found = findings.filter(({ field }) => field === `fields.${name}`);
    return [name, afterTrial(choice, found)];
  });
  return { ...proposal, catalogue, choices: Object.fromEntries(choices) };
}

/** What is still to be decided is NULL meanwhile. */
async function findingsOf(client: Client, { fields, ...file }: MappingFile): Promise<readonly Finding[]> {
  const sources = Object.entries(fields).map(([name, { todo, ...source }]) => {
    return [name, todo === undefined ? source : { sql: 'NULL' }];
  });
  const parsed = parseMapping({ ...file, fields: Object.fromEntries(sources) });
  if ('faults' in parsed) throw new Error(`no mapping: ${problemTexts(parsed.faults).join('; ')}`);
  const { faults, warnings } = await examineMapping(client, parsed.mapping);
  return [...faults, ...warnings];
}

function afterTrial(choice: Choice, found: readonly Finding[]): Choice {
  if (choice.source.todo !== undefined || found.length === 0) return choice;
  const told = found.map(({ problem }) => problem).join('; ');
  if (found.every(({ kind }) => kind === 'look'))
    return { ...choice, sure: false, why: `${choice.why}; ${told}` };
  const todo = `${told}: correct the rows, or name another source, and delete this "todo"`;
  return { source: { ...choice.source, todo }, sure: false, why: todo };
}
