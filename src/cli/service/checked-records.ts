import type { ApiKeyPage } from '../../client/client.ts';
import { Refused } from '../../roster/errors.ts';

/**
 * Checks each record: another service may not keep to docs/api.md#the-record. Statuses and fields that are unknown here are shown: a
 * newer service has them.
 */
export function checked(page: ApiKeyPage): ApiKeyPage {
  for (const record of page.data) {
    const { name, created_at, created_by, partial_key_hint, status, workspace_id } = record;
    const texts = {
      name,
      created_at,
      'created_by.id': created_by?.id,
      'created_by.type': created_by?.type,
      partial_key_hint,
      status,
      workspace_id: workspace_id === null ? '' : workspace_id, // null is the default workspace
    };
    for (const [field, value] of Object.entries<unknown>(texts)) {
      if (value === undefined) throw new Refused(`the service lists ${record.id} without ${field}`);
      if (typeof value !== 'string')
        throw new Refused(`the service lists ${record.id} with a ${field} that is not a text`);
    }
  }
  return page;
}
