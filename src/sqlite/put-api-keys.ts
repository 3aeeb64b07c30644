import type { DatabaseSync } from 'node:sqlite';
import type { ApiKey } from '../roster/api-key.ts';
import type { PutCounts } from '../roster/counts.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import { requirePuttable } from '../roster/refusals.ts';
import { countChanges } from './import/count-changes.ts';
import { merge } from './import/merge-import.ts';
import { dropStaging, stageKeys } from './import/stage-import.ts';
import { findOrganizations } from './import/staged-organizations.ts';
import { organizationNumber } from './organizations.ts';
import { storedRecords } from './record.ts';

/** To be called in a transaction. Keys are written as an import writes them, so that there is one way. */
export function putApiKeys(
  database: DatabaseSync,
  organizationId: OrganizationId,
  keys: readonly ApiKey[],
): PutCounts {
  const organization = organizationNumber(database, organizationId);
  const ids = keys.map(({ id }) => id);
  requirePuttable(keys, storedRecords(database, organization, ids));
  stageKeys(database, organizationId, keys);
  findOrganizations(database);
  const { staged = 0, existing = 0, changed = 0 } = countChanges(database)[0] ?? {};
  merge(database, undefined);
  dropStaging(database); // when something fails, the transaction's end does it
  return { inserted: staged - existing, updated: changed, unchanged: existing - changed };
}
