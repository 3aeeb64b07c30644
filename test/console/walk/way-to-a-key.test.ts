import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cursorAround, loadKey } from '../../../src/console/roster/load-key.ts';
import { walkToOldest } from '../../../src/console/walk/oldest-page.ts';
import { Places } from '../../../src/console/walk/places.ts';
import type { RosterQuery } from '../../../src/console/walk/query.ts';
import type { ApiKey } from '../../../src/roster/api-key.ts';
import { suiteScope } from '../../support/scope.ts';
import { idsOf, numberedKeys, startSeededService } from '../../support/seeded-service.ts';

const suite = suiteScope();
const before = await startSeededService(suite, numberedKeys(50));
/** A later state of the same roster. */
const later = (keys: readonly ApiKey[]) => startSeededService(suite, keys);
const grown = await later(numberedKeys(110));
const archived = await later(
  numberedKeys(50).map((key, number) => (number < 40 ? key : { ...key, status: 'archived' })),
);
const shrunk = await later(numberedKeys(10));

describe('the oldest page', () => {
  for (const [what, now, query, expected] of [
    ['nothing has changed', before, {}, 'k29'],
    ['there are older keys', grown, {}, 'k89'],
    ['no key of it matches any more', archived, { status: 'active', limit: '5' }, 'k31'],
    ['the key before it is gone, and all are on one page', shrunk, {}, undefined],
  ] as const)
    test(`is found again when ${what}`, async () => {
      const oldestPages = new Map<string, string>();
      const oldest = async ({ client }: typeof before): Promise<RosterQuery> => {
        const { walk, page } = walkToOldest(
          { retryingClient: client(), places: new Places(), oldestPages },
          query,
        );
        await walk.run();
        assert.equal(walk.state.kind, 'complete');
        return page() ?? oldest(now);
      };
      await oldest(before);
      assert.equal((await oldest(now)).after_id, expected);
    });
});

test('a key is loaded by its ID, with its neighbours around it, and an ID of no key is none', async () => {
  const { signal } = new AbortController();
  const client = before.client();
  for (const [id, neighbour] of [
    ['k0', 'k1'],
    ['k37', 'k36'],
    ['k49', 'k48'],
  ] as const) {
    assert.equal((await loadKey(client, id, signal))?.id, id);
    const after_id = await cursorAround(client, id, 5, signal);
    const { data } = await client.apiKeys.list({ limit: 5, ...(after_id && { after_id }) });
    assert(idsOf(data).includes(id) && idsOf(data).includes(neighbour), `${idsOf(data)}`);
  }
  assert.equal(await loadKey(client, 'k999', signal), undefined);
});
