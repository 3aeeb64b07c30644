import { plainError } from '../api/foreign-errors.ts';
import { StoreBusy, StoreUnavailable } from '../roster/errors.ts';
import { JoinedPage } from '../roster/pages/joined-page.ts';
import { areNewestFirst, type Page, type RosterReader, requiredOfPage } from '../roster/pages/page.ts';
import type { PageReader } from '../roster/pages/reader.ts';
import { within } from '../with-timeout.ts';

/** A page that takes longer holds up those that wait for it. */
const MAX_READ_MS = 10_000;

/**
 * Another's roster, whose pages are checked for what would become a wrong answer without anybody noticing. What is wrong is a
 * fault of its code: a 500, and a line in the log. `keyroster/conformance` checks everything else. What a reader need not have must
 * be passed on here too, or it doesn't compile.
 */
export function checkedRoster(roster: RosterReader): Required<PageReader> {
  return {
    async listApiKeys(organization, query) {
      // A copy: what its code changes of the query must change nothing here.
      const page = await read(() => roster.listApiKeys(organization, structuredClone(query)));
      const required = requiredOfPage(page, query);
      if (required !== null) throw new TypeError(`roster: listApiKeys must return ${required}`);
      if (page && !areNewestFirst(page.items))
        throw new TypeError('roster: listApiKeys must return items newest first, those of one time by ID');
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
    throw plainError(error); // its properties may be anything
  }
}
