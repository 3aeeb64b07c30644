/** What `keyroster adopt --table` proposes for a table. */
import { adoptionIn } from '../../../src/operator/adopt/open-adoption.ts';
import {
  type Choices,
  type MappingFile,
  mappingFile,
} from '../../../src/operator/adopt/proposal/mapping-file.ts';
import type { Proposal } from '../../../src/operator/adopt/proposal/propose.ts';
import { storeAt } from '../store-at.ts';

export interface ProposedFile extends Proposal {
  readonly file: MappingFile;
}

export async function proposalFor(url: string, table: string): Promise<ProposedFile> {
  const proposal = await (await adoptionIn(storeAt(url))).propose(table);
  return { ...proposal, file: mappingFile(proposal.catalogue, proposal.choices) };
}

/** The fields that a person has to look at, or to decide. */
export function openFields(choices: Choices): string[] {
  return Object.entries(choices).flatMap(([name, { sure }]) => (sure ? [] : name));
}

/** The sources without their notes. */
export function sourcesOf({ file }: ProposedFile): Record<string, unknown> {
  const sources = Object.entries(file.fields).map(([name, { note, ...source }]) => [name, source]);
  return Object.fromEntries(sources);
}
