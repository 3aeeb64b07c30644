import type { ApiKeyRecord } from '../../client/client.ts';

/** A filter that the operation doesn't have: it is applied to the keys that were read. */
export type LocalFilter = (key: ApiKeyRecord) => boolean;

export const inDefaultWorkspace: LocalFilter = ({ workspace_id }) => workspace_id === null;

export function passing(
  keys: readonly ApiKeyRecord[],
  filters: readonly LocalFilter[],
): readonly ApiKeyRecord[] {
  return filters.length === 0 ? keys : keys.filter(key => filters.every(passes => passes(key)));
}
