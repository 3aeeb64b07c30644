import type { DatabaseSync } from 'node:sqlite';
import type { OrganizationId } from '../../roster/identifier.ts';
import { STAGED_AND_STORED } from './stage-import.ts';

/** What an import would do to an organization. */
export interface OrganizationChanges {
  readonly organizationId: OrganizationId;
  /** Whether the organization isn't there yet. */
  readonly created: boolean;
  readonly staged: number;
  /** Of the staged lines, those whose key is stored already. */
  readonly existing: number;
  /** Of the existing ones, those that differ from what is stored. */
  readonly changed: number;
}

/** Of each organization that is there or has staged lines, in the order in which the lines name them. */
export function countChanges(database: DatabaseSync): OrganizationChanges[] {
  const rows = database.prepare(`
    SELECT named.id AS organizationId, stored IS NULL AS created, coalesce(staged, 0) AS staged,
      coalesce(existing, 0) AS existing, coalesce(changed, 0) AS changed
    FROM staged_organizations AS named
    LEFT JOIN (SELECT organization, count(*) AS staged FROM staged GROUP BY organization) AS lines
      ON lines.organization = named.number
    LEFT JOIN (SELECT staged.organization, count(*) AS existing,
        count(*) FILTER (WHERE stored.record <> staged.record) AS changed
      FROM ${STAGED_AND_STORED} GROUP BY staged.organization) AS known
      ON known.organization = named.number
    WHERE lines.organization IS NOT NULL OR stored IS NOT NULL AND NOT deleted ORDER BY named.number`);
  return rows.all().map(row => ({ ...row, created: row.created === 1 }) as unknown as OrganizationChanges);
}
