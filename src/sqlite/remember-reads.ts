import type { DatabaseSync } from 'node:sqlite';
import type { AdminKey } from '../roster/admin-key.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import type { ListQuery } from '../roster/list-query.ts';
import type { Page } from '../roster/page.ts';
import type { Timestamp } from '../roster/timestamp.ts';
import { ProvenCache } from './proven-cache.ts';

export interface Reads {
  listApiKeys(organization: OrganizationId, query: ListQuery): Page | null;
  findAdminKey(digest: Uint8Array, at: Timestamp): AdminKey | null;
}

/** What an admin key takes with its digest and texts; a bound, not a measurement. */
const ADMIN_KEY_BYTES = 1_024;
/** A thousand of them. */
const MAX_ADMIN_KEY_BYTES = 1_000 * ADMIN_KEY_BYTES;
/** An item's part of a page besides its record's text; a bound, as above. */
const ITEM_BYTES = 256;
/** A record is kept three times: as it was read, as it was made whole, and in the page's rendering. */
const TIMES_KEPT = 3;

/** The same reads, which aren't made again while the store is as it was. `prove` comes before those of a snapshot. */
export function remembering(reads: Reads, database: DatabaseSync, maxPageBytes: number) {
  // Another connection's commit changes it (sqlite.org/pragma.html#pragma_data_version); this one never writes.
  const version = database.prepare('PRAGMA data_version');
  version.setReturnArrays(true);
  const pages = new ProvenCache<Page | null>(maxPageBytes, bytesOfPage);
  const adminKeys = new ProvenCache<AdminKey | null>(MAX_ADMIN_KEY_BYTES, () => ADMIN_KEY_BYTES);
  return {
    prove(): void {
      const [now] = version.get() as unknown as [number];
      pages.proveFor(now);
      adminKeys.proveFor(now);
    },
    listApiKeys: (organization: OrganizationId, query: ListQuery): Page | null =>
      pages.answer(questionOf(organization, query), () => reads.listApiKeys(organization, query)),
    findAdminKey(digest: Uint8Array, at: Timestamp): AdminKey | null {
      const question = Buffer.from(digest).toString('latin1');
      const key = adminKeys.answer(question, () => reads.findAdminKey(digest, at));
      const expired = key !== null && key.expiresAt !== null && key.expiresAt <= at;
      return expired ? null : key;
    },
  };
}

/** No part of a query holds a space. */
function questionOf(organization: OrganizationId, { limit, cursor, filter }: ListQuery): string {
  const { status = '', workspaceId = '', creatorId = '' } = filter;
  return `${organization} ${limit} ${cursor?.direction} ${cursor?.id} ${status} ${workspaceId} ${creatorId}`;
}

function bytesOfPage(page: Page | null): number {
  const items = page?.items ?? [];
  return items.reduce((bytes, { record }) => bytes + TIMES_KEPT * record.length + ITEM_BYTES, ITEM_BYTES);
}
