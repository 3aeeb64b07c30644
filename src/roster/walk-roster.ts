import type { Filter } from './filters.ts';
import type { OrganizationId } from './identifier.ts';
import type { PageItem } from './page.ts';
import type { RosterReader } from './roster-reader.ts';

/** A page costs the same at any depth, so small pages are as fast and need less memory. */
const PAGE_SIZE = 100;

/**
 * Lists all keys that match the filter, page by page, newest first. A key that exists and matches during the whole walk is
 * listed exactly once (docs/api.md#order-and-pages).
 */
export async function* walkRoster(
  roster: RosterReader,
  organization: OrganizationId,
  filter: Filter = {},
): AsyncGenerator<readonly PageItem[]> {
  let cursor: { direction: 'after'; id: PageItem['id'] } | null = null;
  while (true) {
    const page = await roster.listApiKeys(organization, { limit: PAGE_SIZE, cursor, filter });
    const last = page?.items.at(-1);
    if (!page || !last) return;
    yield page.items;
    if (!page.hasMore) return;
    cursor = { direction: 'after', id: last.id };
  }
}
