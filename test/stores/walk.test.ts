import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATUSES } from '../../src/roster/api-key.ts';
import type { Filter } from '../../src/roster/filters.ts';
import type { ApiKeyId, OrganizationId } from '../../src/roster/identifier.ts';
import { walkRoster } from '../../src/roster/walk-roster.ts';
import { ChangingRoster, CREATORS, firstKeys, WORKSPACES } from '../support/changing-roster.ts';
import { describeEachStore } from '../support/each-store.ts';
import { createOrganization, importKeys } from '../support/roster.ts';

describeEachStore('a walk', open => {
  const started = async (roster: ChangingRoster) => {
    const { id } = await createOrganization(open.writer);
    await importKeys(open.writer, id, roster.keys());
    return id;
  };
  const idsIn = async (organization: OrganizationId, filter?: Filter) => {
    const ids: ApiKeyId[] = [];
    for await (const items of walkRoster(open.reader, organization, filter))
      ids.push(...items.map(({ id }) => id));
    return ids;
  };

  // A walk's pages have 100 keys: rosters that end at, before and after a page's end.
  for (const count of [0, 1, 99, 100, 101, 200, 350]) {
    test(`of ${count} keys has each once, in the order`, async () => {
      const roster = new ChangingRoster(firstKeys(count));
      assert.deepEqual(await idsIn(await started(roster)), roster.matching({}));
    });
  }

  test('with a filter has each key that matches once', async () => {
    const roster = new ChangingRoster(firstKeys(1000));
    const organization = await started(roster);
    const workspaces = WORKSPACES.filter(id => id !== null);
    for (const filter of [
      ...STATUSES.map(status => ({ status })),
      ...workspaces.map(workspaceId => ({ workspaceId })),
      ...CREATORS.map(creatorId => ({ creatorId, status: 'active' as const })),
    ])
      assert.deepEqual(await idsIn(organization, filter), roster.matching(filter));
  });

  test('misses and repeats nothing while keys are added, renamed and archived around it', async () => {
    const roster = new ChangingRoster(firstKeys(450));
    const organization = await started(roster);
    const throughout = new Set(roster.matching({}));
    const seen: ApiKeyId[] = [];
    for await (const items of walkRoster(open.reader, organization)) {
      seen.push(...items.map(({ id }) => id));
      await importKeys(open.writer, organization, roster.nextBatch(seen.at(-1) as ApiKeyId, {}));
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(
      seen.filter(id => throughout.has(id)),
      roster.inOrder([...throughout]),
    );
    assert.deepEqual(seen, roster.inOrder(seen));
  });

  test('asks for no page before the one in hand has been dealt with', async () => {
    const organization = await started(new ChangingRoster(firstKeys(300)));
    let asked = 0;
    const counting = {
      listApiKeys: (...args: Parameters<typeof open.reader.listApiKeys>) => {
        asked += 1;
        return open.reader.listApiKeys(...args);
      },
    };
    for await (const _ of walkRoster(counting, organization)) if (asked === 2) break;
    assert.equal(asked, 2);
  });
});
