/**
 * The imports that a store has carried out. One import may be of many organizations: it has one ID, and is recorded by
 * organization.
 */
import type { Actor } from './actor.ts';
import type { ImportCounts } from './counts.ts';
import type { ApiKeyId, ImportId, OrganizationId } from './identifier.ts';
import type { Timestamp } from './timestamp.ts';

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

export function importResult(
  importId: ImportId | null,
  refused: number,
  organizations: readonly OrganizationImport[],
): ImportResult {
  const sum = (of: (each: OrganizationImport) => number) =>
    organizations.reduce((total, each) => total + of(each), 0);
  return {
    importId,
    inserted: sum(({ inserted }) => inserted),
    updated: sum(({ updated }) => updated),
    unchanged: sum(({ unchanged }) => unchanged),
    refused,
    organizations,
  };
}

/** What a store keeps of an import to one organization. */
export interface ImportEntry {
  readonly id: ImportId;
  readonly organizationId: OrganizationId;
  /** The store's own, different for each entry of an organization. */
  readonly number: number;
  readonly recordedAt: Timestamp;
  readonly actor: Actor;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly revertedAt: Timestamp | null;
}

/** Enough that a page's own cost doesn't count, and little memory. */
const PAGE_SIZE = 500;

interface Imports {
  listImports(
    organization: OrganizationId | null,
    after: ImportEntry | null,
    limit: number,
  ): Promise<readonly ImportEntry[]>;
}

/** An import with its entries' counts in sum. */
export interface ListedImport extends Omit<ImportEntry, 'organizationId' | 'number'> {
  /** How many organizations it is of; one organization by its ID. */
  readonly organizations: OrganizationId | number;
}

/** Lists all imports, or those to this organization with its counts alone, page by page, oldest first. */
export async function* walkImports(
  roster: Imports,
  organization: OrganizationId | null,
): AsyncGenerator<readonly ListedImport[]> {
  let after: ImportEntry | null = null;
  let open: ListedImport | undefined; // its further entries may be on the next page
  while (true) {
    const entries: readonly ImportEntry[] = await roster.listImports(organization, after, PAGE_SIZE);
    const done: ListedImport[] = [];
    for (const entry of entries) {
      if (open && open.id !== entry.id) done.push(open);
      open = open?.id === entry.id ? together(open, entry) : listed(entry);
    }
    after = entries.at(-1) ?? after;
    const isLast = entries.length < PAGE_SIZE;
    if (isLast && open) done.push(open);
    if (done.length > 0) yield done;
    if (isLast) return;
  }
}

function listed({ organizationId, number, ...entry }: ImportEntry): ListedImport {
  return { ...entry, organizations: organizationId };
}

function together(one: ListedImport, other: ImportEntry): ListedImport {
  return {
    ...one,
    organizations: (typeof one.organizations === 'number' ? one.organizations : 1) + 1,
    inserted: one.inserted + other.inserted,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
  };
}

/** What a revert does to the API keys of an organization. */
export interface OrganizationRevert {
  readonly organizationId: OrganizationId;
  readonly deleted: number;
  readonly restored: number;
  /** Those that something else changed since. */
  readonly skipped: number;
}

export interface RevertResult {
  readonly organizations: readonly OrganizationRevert[];
  /** The first of the skipped keys. */
  readonly changed: readonly ChangedKey[];
}

export interface RevertOptions {
  /** Say what a revert would do, and change nothing. */
  readonly dryRun?: boolean;
  /** Leave the keys that something else changed since as they are. Otherwise nothing is reverted when there is one. */
  readonly skipChanged?: boolean;
}

/** An API key that something else changed after an import. */
export interface ChangedKey {
  readonly organizationId: OrganizationId;
  readonly id: ApiKeyId;
  /** The later import that changed it; `null`: something that isn't one. */
  readonly by: ImportId | null;
}

/** How many changed keys are named. The others are counted. */
export const MAX_NAMED_CHANGES = 20;
