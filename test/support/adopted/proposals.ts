/** What `keyroster adopt --table` proposes for a table. */
import type { Choice } from '../../../src/service/adoption/proposal/choice.ts';
import {
  type MappingFile,
  mappingFile,
  type Proposal,
  propose,
} from '../../../src/service/adoption/proposal/propose.ts';
import { FIELD_NAMES, type FieldName } from '../../../src/service/postgres/vendor-table/mapping.ts';
import { storeAt } from '../store-at.ts';

export interface ProposedFile extends Proposal {
  readonly file: MappingFile;
}

export async function proposalFor(url: string, table: string): Promise<ProposedFile> {
  const catalogue = await (await storeAt(url).adoption()).catalogue(table);
  const proposal = propose(catalogue);
  return { ...proposal, file: mappingFile(catalogue, proposal.choices) };
}

/** The fields that a person has to look at, or to decide. */
export function openFields(choices: Readonly<Record<FieldName, Choice>>): FieldName[] {
  return FIELD_NAMES.filter(name => !choices[name].sure);
}

/** The sources without their notes. */
export function sourcesOf({ file }: ProposedFile): Record<string, unknown> {
  const sources = FIELD_NAMES.map(name => {
    const { note, ...source } = file.fields[name];
    return [name, source];
  });
  return Object.fromEntries(sources);
}
