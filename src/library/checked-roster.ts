import { within, withoutCredentials } from '../api/others-code.ts';
import { StoreBusy, StoreUnavailable } from '../roster/errors.ts';
import { JoinedPage } from '../roster/joined-page.ts';
import type { ListQuery } from '../roster/list-query.ts';
import { isPageItem, type Page } from '../roster/page.ts';
import type { PageReader } from '../roster/roster.ts';
import type { RosterReader } from '../roster/roster-reader.ts';

/** A page that takes longer holds up those that wait for it. */
const MAX_READ_MS = 10_000;

/**
 * Another's roster, whose pages are checked for what would become a wrong answer without anybody noticing. What is wrong is a
 * fault of its code: a 500, and a line in the log. `keyroster/conformance` checks everything else.
 */
export function checkedRoster(roster: RosterReader): PageReader {
  return {
    async listApiKeys(organization, query) {
      // A copy: what its code changes of the query must change nothing here.
      const page = await read(() => roster.listApiKeys(organization, structuredClone(query)));
      const problem = problemOf(page, query);
      if (problem !== null) throw new TypeError(`roster: listApiKeys must return ${problem}`);
      return page && JoinedPage.of(page);
    },
  };
}

async function read(list: () => Promise<Page | null>): Promise<Page | null> {
  const tooLong = () => new StoreUnavailable(`roster: listApiKeys took more than ${MAX_READ_MS} ms`);
  try {
    return await within(MAX_READ_MS, list, tooLong);
  } catch (error) {
    if (error instanceof StoreBusy || error instanceof StoreUnavailable) throw error;
    throw withoutCredentials(error, []); // its properties may be anything
  }
}

/** What the page should have been; `null`: it may be right. */
function problemOf(page: unknown, { limit, cursor }: ListQuery): string | null {
  if (page === null) return cursor ? null : 'a page where no cursor was given';
  const { items, hasMore } = Object(page);
  if (typeof hasMore !== 'boolean' || !Array.isArray(items)) return 'null or { items, hasMore }';
  const all = Array.from(items); // with the holes that an array may have
  if (!all.every(isPageItem)) return 'items that pageItem has made';
  if (all.length > limit) return 'at most limit items';
  if (hasMore && all.length < limit) return 'as many items as limit where hasMore is true';
  const ids = new Set(all.map(({ id }) => id));
  if (ids.size < all.length) return 'each API key once';
  return cursor && ids.has(cursor.id) ? 'a page without its cursor' : null;
}
