/** What `keyroster adopt --table` proposes for a table. */
import type { Catalogue } from '../../../src/service/adoption/catalogue/catalogue.ts';
import type { Choice, ProposedSource } from '../../../src/service/adoption/proposal/choice.ts';
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
  return { ...proposal, file: fileOf(catalogue, proposal.choices) };
}

export function fileOf(catalogue: Catalogue, choices: Proposal['choices']): MappingFile {
  const sources = FIELD_NAMES.map(name => [name, choices[name].source] as const);
  return mappingFile(catalogue, Object.fromEntries(sources) as Record<FieldName, ProposedSource>);
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
