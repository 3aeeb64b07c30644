import type { AdminKeyReader, PageReader, StoreReader } from './roster.ts';

/** `listAs` of a store whose reads have no common snapshot. */
export function listInTwoReads(reads: AdminKeyReader & PageReader): StoreReader['listAs'] {
  return async (digest, at, admit) => {
    const { organizationId, query } = await admit(await reads.findAdminKey(digest, at));
    return reads.listApiKeys(organizationId, query);
  };
}
