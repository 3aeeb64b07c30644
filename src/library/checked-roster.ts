import type { Page } from '../roster/page.ts';
import type { RosterReader } from '../roster/roster-reader.ts';

/**
 * Another's roster, whose pages are checked for what would become a wrong answer without anybody noticing. What is wrong is a
 * fault of its code: a 500, and a line in the log. `keyroster/conformance` checks everything else.
 */
export function checkedRoster(roster: RosterReader): RosterReader {
  return {
    async listApiKeys(organization, query) {
      const page: unknown = await roster.listApiKeys(organization, query);
      if (page !== null && !isPage(page, query.limit))
        throw new TypeError(
          'roster: listApiKeys must return null or { items, hasMore }, with items of pageItem, at most limit',
        );
      return page;
    },
  };
}

function isPage(page: unknown, limit: number): page is Page {
  const { items, hasMore } = Object(page);
  return typeof hasMore === 'boolean' && Array.isArray(items) && items.length <= limit && items.every(isItem);
}

function isItem(item: unknown): boolean {
  const { id, record } = Object(item);
  return typeof id === 'string' && typeof record === 'string';
}
