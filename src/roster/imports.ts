/**
 * The imports that a store has carried out. One import may be of many organizations: it has one ID, and is recorded by
 * organization.
 */
import type { ImportCounts } from './counts.ts';
import type { ImportId, OrganizationId } from './identifier.ts';

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
