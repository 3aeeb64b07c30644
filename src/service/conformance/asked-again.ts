import type { Filter } from '../../shared/record/filters.ts';
import type { WorkspaceId } from '../../shared/record/identifier.ts';
import { LIMIT } from '../../shared/record/list-query.ts';
import type { ApiKey } from '../roster/api-key.ts';
import { checkPage } from './check-page.ts';
import { everyCursor, query } from './page-checks.ts';
import { contentOf, key, someTies } from './rosters.ts';
import {
  type ConformanceOptions,
  type OpenedStore,
  orFailed,
  orLikely,
  recordOf,
  withStore,
} from './store-under-test.ts';
import { changes } from './walks.ts';

/** Those that a change makes a key match, or match no more. */
const filters: readonly Filter[] = [
  {},
  { status: 'active' },
  { status: 'archived' },
  { workspaceId: 'wrkspc_b' as WorkspaceId },
];

/** Asks for pages, makes one change in each roster, and asks for the same pages again. */
export async function checkPagesAskedAgain<Store extends OpenedStore>(
  options: ConformanceOptions<Store>,
): Promise<void> {
  const kinds = Object.values(changes);
  const content = contentOf([[], ...kinds.map(() => someTies[3] ?? [])]);
  const checked = withStore(options, content, async store => {
    for (const [number, [organization, keys]] of [...content].entries()) {
      const at = keys[1] ?? key('first');
      const changed = kinds[number - 1]?.(at, number) ?? at;
      const queries = everyCursor([at, changed]).flatMap(cursor =>
        filters.map(filter => query(LIMIT.default, cursor, filter)),
      );
      const ask = async (now: readonly ApiKey[]) => {
        const current = new Map([...content, [organization, now]]);
        for (const query of queries)
          await checkPage(current, { organization, query }, () =>
            store.roster.listApiKeys(organization, query),
          );
      };
      await ask(keys);
      await orFailed('change', () => options.change?.(store, organization, recordOf(changed)));
      await ask([...keys.filter(({ id }) => id !== changed.id), changed]);
    }
  });
  await orLikely('a page or a cursor is kept in a cache, or "change" stored nothing', checked);
}
