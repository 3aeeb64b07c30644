import type { OrganizationId } from './identifier.ts';
import type { OrganizationRevert } from './imports.ts';
import { foreignKeys } from './refusals.ts';

/** The API keys that an import wrote to an organization, and what a store has of them. */
export interface ImportedKeys {
  readonly organizationId: OrganizationId;
  readonly inserted: number;
  readonly updated: number;
  /** Those with the import's number: nothing else has written them since. */
  readonly left: number;
  /** Those of them of which is kept what they were before the import. */
  readonly restorable: number;
  /** Those that are known to have been changed since. */
  readonly changed: number;
}

/** Throws `Refused` when keys have the import's number that it didn't write. */
export function planRevert(all: readonly ImportedKeys[]): OrganizationRevert[] {
  return all.map(({ organizationId, inserted, updated, left, restorable, changed }) => {
    const deleted = left - restorable;
    const foreign = Math.max(left + changed - inserted - updated, deleted - inserted);
    if (foreign > 0) throw foreignKeys(organizationId, foreign);
    return { organizationId, deleted, restored: restorable, skipped: inserted + updated - left };
  });
}
