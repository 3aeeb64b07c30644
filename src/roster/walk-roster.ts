import type { Filter } from './filters.ts';
import type { OrganizationId } from './identifier.ts';
import type { PageItem } from './page.ts';
import type { RosterReader } from './roster.ts';

/** Pages cost the same wherever they begin, so small ones are as fast, and memory stays flat. */
const PAGE = 100;

/**
 * The whole roster, or what of it passes the filter, page by page, newest first: every key that exists and matches
 * for the whole length of the walk exactly once (docs/api.md#order-and-pages).
 */
export async function* walkRoster(
  roster: Pick<RosterReader, 'listApiKeys'>,
  organization: OrganizationId,
  filter: Filter = {},
): AsyncGenerator<readonly PageItem[]> {
  let cursor: { direction: 'after'; id: PageItem['id'] } | null = null;
  while (true) {
    const page = await roster.listApiKeys(organization, { limit: PAGE, cursor, filter });
    const last = page?.items.at(-1);
    if (!page || !last) return;
    yield page.items;
    if (!page.hasMore) return;
    cursor = { direction: 'after', id: last.id };
  }
}
