/**
 * The imports that a store has carried out. One import may be of many organizations: it has one ID, and is recorded by
 * organization.
 */

import type { Fault } from '../../../shared/record/faults.ts';
import type { ImportId, OrganizationId } from '../../../shared/record/identifier.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import type { Actor } from '../actor.ts';
import type { ApiKey } from '../api-key.ts';
import type { ImportCounts, PutCounts } from './put-outcome.ts';
import { changedSince } from './refusals.ts';

/**
 * A line of an import's source, counted from 1: its organization and its key, or, if it is not valid, its faults and its text. A
 * line that isn't valid may not name its organization.
 */
export type ImportLine = { readonly line: number } & (
  | { readonly organizationId: OrganizationId; readonly key: ApiKey }
  | Omit<ImportRefusal, 'line'>
);

export interface ImportOptions {
  /** Called for every refused line, before the import ends. */
  readonly onRefused: (refusal: ImportRefusal) => void;
  /** Import the other lines when some are refused. */
  readonly skipRefused?: boolean;
  /** Create the organizations that don't exist. The name of each is its ID. */
  readonly createOrganizations?: boolean;
  /** Count what an import would do, and change nothing. */
  readonly dryRun?: boolean;
  /** Called at intervals with the number of keys written so far. */
  readonly onProgress?: (written: number, total: number) => void;
}

export interface ImportRefusal {
  readonly line: number;
  readonly organizationId: OrganizationId | null;
  /** At least one. */
  readonly faults: readonly Fault[];
  /** The line's text in the source, or, when the store refused it, its record. */
  readonly source: string;
}

export interface OrganizationImport extends ImportCounts {
  readonly organizationId: OrganizationId;
  /** Whether the import created the organization. */
  readonly created: boolean;
}

/** What an import did, in all and to each organization. Lines that name no known organization are counted in all only. */
export interface ImportResult extends ImportCounts {
  /** `null` where nothing was recorded: of a dry run, when a line was refused and nothing was imported, and when there was no line. */
  readonly importId: ImportId | null;
  /** None when nothing was imported because a line was refused. */
  readonly organizations: readonly OrganizationImport[];
}

/** What the lines of an import that aren't refused do to an organization. */
export interface ImportChanges {
  readonly organizationId: OrganizationId;
  readonly created: boolean;
  /** The lines. */
  readonly staged: number;
  /** Of the lines, those whose key is stored already. */
  readonly existing: number;
  /** Of the existing ones, those that differ from what is stored. */
  readonly changed: number;
}

/** Counts the lines that an import refuses, and tells each. */
export class ImportTally {
  readonly #onRefused: (refusal: ImportRefusal) => void;
  readonly #refused = new Map<OrganizationId | null, number>();
  refused = 0;

  constructor(onRefused: (refusal: ImportRefusal) => void) {
    this.#onRefused = onRefused;
  }

  readonly refuse = (refusal: ImportRefusal): void => {
    const { organizationId } = refusal;
    this.refused += 1;
    this.#refused.set(organizationId, (this.#refused.get(organizationId) ?? 0) + 1);
    this.#onRefused(refusal);
  };

  resultOf(importId: ImportId | null, changes: readonly ImportChanges[]): ImportResult {
    const organizations = changes.map(({ organizationId, created, staged, existing, changed }) => ({
      organizationId,
      created,
      inserted: staged - existing,
      updated: changed,
      unchanged: existing - changed,
      refused: this.#refused.get(organizationId) ?? 0,
    }));
    const sum = (of: keyof PutCounts) => organizations.reduce((total, each) => total + each[of], 0);
    return {
      importId,
      inserted: sum('inserted'),
      updated: sum('updated'),
      unchanged: sum('unchanged'),
      refused: this.refused,
      organizations,
    };
  }
}

/** What a store keeps of an import to one organization. */
export interface ImportEntry extends PutCounts {
  readonly id: ImportId;
  readonly organizationId: OrganizationId;
  readonly recordedAt: Timestamp;
  readonly actor: Actor;
  readonly revertedAt: Timestamp | null;
}

/** What a revert does to the API keys of an organization. */
export interface OrganizationRevert {
  readonly organizationId: OrganizationId;
  /** The keys that the import inserted. */
  readonly deleted: number;
  /** The keys that get back the status that they had before the import. */
  readonly statuses: number;
  /** Keys that it inserted and something else changed since, and keys whose status isn't what the import made it any more. */
  readonly skipped: number;
}

export interface RevertOptions {
  /** Say what a revert would do, and change nothing. */
  readonly dryRun?: boolean;
  /** Leave the keys that something else changed since as they are. Otherwise nothing is reverted when there is one. */
  readonly skipChanged?: boolean;
}

/** Throws `Refused` when something else changed keys since, unless these are to be skipped. */
export function requireUnchanged(
  planned: readonly OrganizationRevert[],
  { skipChanged = false }: RevertOptions,
): void {
  const { skipped } = revertCounts(planned);
  if (skipped > 0 && !skipChanged) throw changedSince(skipped);
}

/** In all organizations. */
export function revertCounts(
  organizations: readonly OrganizationRevert[],
): Omit<OrganizationRevert, 'organizationId'> {
  const sum = (of: 'deleted' | 'statuses' | 'skipped') =>
    organizations.reduce((total, each) => total + each[of], 0);
  return { deleted: sum('deleted'), statuses: sum('statuses'), skipped: sum('skipped') };
}
