import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Filter } from '../src/shared/record/filters.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../src/shared/record/identifier.ts';
import type { ListQuery } from '../src/shared/record/list-query.ts';
import type { Timestamp } from '../src/shared/record/timestamp.ts';
import { ChangingRoster, firstKeys, START } from './support/changing-roster.ts';
import { newStore } from './support/opened.ts';
import { createOrganization, importKeys } from './support/roster.ts';
import { rounds } from './support/rounds.ts';
import { suiteScope } from './support/scope.ts';
import { serveScopedCallers } from './support/scoped-callers.ts';
import { type SecondWriter, startSecondWriter } from './support/second-writer.ts';
import { serveStore } from './support/service.ts';
import { storeKinds } from './support/stores.ts';
import { type Direction, filterParameters, type GetPage, pagesOf, type WirePage } from './support/walk.ts';

const FIRST_KEYS = 1_080;
const PAGES_PER_WALK = rounds(5);
/** More keys than a batch adds ahead of the reader, so that every walk ends. */
const MIN_LIMIT = 6;
/** Uncommitted batches while a page is read, so that the writer is never idle and never far behind. */
const BACKLOG = 3;

const workspaceId = 'wrkspc_a' as WorkspaceId;
const creatorId = 'user_b' as CreatorId;
const created = { from: (START + 60n) as Timestamp, before: (START + 300n) as Timestamp };
/** The oldest key, where walks backward begin, is within the scope and not within the times. */
const asked: readonly Omit<ListQuery, 'limit' | 'cursor'>[] = [
  { filter: {} },
  { filter: { status: 'active' } },
  { filter: { status: 'active', workspaceId, creatorId } },
  { filter: { status: 'active' }, created, scope: { workspaceId } },
];

for (const kind of storeKinds) {
  describe(`while a second process inserts, renames and archives, over ${kind.name}`, () => {
    const scope = suiteScope();
    const roster = new ChangingRoster(firstKeys(FIRST_KEYS));
    let getPage: GetPage;
    let getPageInScope: GetPage;
    let writer: SecondWriter;

    before(async () => {
      const store = await newStore(scope, kind);
      const first = await store.openWriter();
      const organization = await createOrganization(first);
      await importKeys(first, organization.id, roster.keys());
      await first.close();
      const service = await serveStore(scope, store);
      getPage = query => service.listWithRetry(organization.secret, query);
      const ask = await serveScopedCallers(scope, store);
      getPageInScope = async query => {
        const answer = await ask(organization.id, { workspaceId }, query);
        return { ...answer, body: JSON.parse(answer.body) };
      };
      writer = await startSecondWriter(scope, store, organization.id);
    });

    for (const { filter, ...restrictions } of asked) {
      const getPages = (query: string) => (restrictions.scope ? getPageInScope : getPage)(query);
      const changed = { ...filter, ...restrictions.scope };
      for (const direction of ['after', 'before'] as const) {
        test(`a walk ${nameOf(direction, filter)}${restrictions.scope ? ', times and a scope' : ''} returns every key that matched throughout, once and in order`, async () => {
          const start = direction === 'before' ? ('first_0' as ApiKeyId) : null; // the oldest key at the start
          const matchingBefore = roster.matching(filter, start, restrictions);
          const limit = Math.max(MIN_LIMIT, Math.ceil(matchingBefore.length / PAGES_PER_WALK));
          const committedBefore = writer.committed();
          const batches: Promise<unknown>[] = [];
          const pages: WirePage[] = [];
          for await (const page of pagesOf(getPages, { direction, start, filter, limit, ...restrictions })) {
            pages.push(page);
            if (page.has_more) batches.push(writer.write(roster.nextBatch(page.end, changed)));
            await batches.at(-BACKLOG);
          }
          const committedMeanwhile = writer.committed() - committedBefore;
          await Promise.all(batches);

          assert.ok(committedMeanwhile > 0, 'changes were committed during the walk');
          const ids = pages.flatMap(page => (direction === 'after' ? page.data : page.data.toReversed()));
          const seen = (direction === 'after' ? ids : ids.toReversed()).map(({ id }) => id);
          const stillMatching = new Set(roster.matching(filter, null, restrictions));
          const throughout = matchingBefore.filter(id => stillMatching.has(id));
          const expected = new Set(throughout);
          assert.deepEqual(
            seen.filter(id => expected.has(id)),
            throughout,
          );
          assert.deepEqual(seen, roster.inOrder(seen));
          assertHasMoreIsConsistent(pages, limit, filter);
        });
      }
    }

    test('the second process commits everything and exits with code 0', () => writer.stop());
  });
}

/** Only a full page may have has_more, and the next page then has keys, unless they were archived and left the filter. */
function assertHasMoreIsConsistent(pages: readonly WirePage[], limit: number, { status }: Filter): void {
  const keysMayLeave = status === 'active' || status === 'inactive';
  for (const [number, page] of pages.entries()) {
    assert.equal(page.has_more, number < pages.length - 1);
    if (page.has_more) assert.equal(page.data.length, limit);
    if (!keysMayLeave) assert.ok(page.data.length > 0);
  }
}

function nameOf(direction: Direction, filter: Filter): string {
  const parameters = Object.entries(filterParameters(filter)).map(([name, value]) => `${name}=${value}`);
  const way = direction === 'after' ? 'forward' : 'backward';
  return `${way} ${parameters.length > 0 ? `with ${parameters.join(' and ')}` : 'without a filter'}`;
}
