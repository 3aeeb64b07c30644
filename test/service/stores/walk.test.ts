import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walkRoster } from '../../../src/service/roster/walks.ts';
import type { Filter } from '../../../src/shared/record/filters.ts';
import type { ApiKeyId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { STATUSES } from '../../../src/shared/record/status.ts';
import { parseTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';
import { ChangingRoster, CREATORS, firstKeys, WORKSPACES } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';

describeEachStore('a walk', open => {
  const organizationWith = async (roster: ChangingRoster) => {
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

  // A walk's pages have 100 keys. These rosters end before, at and after the end of a page.
  for (const count of [0, 1, 99, 100, 101, 200, 350]) {
    test(`over ${count} keys returns each key once, in order`, async () => {
      const roster = new ChangingRoster(firstKeys(count));
      assert.deepEqual(await idsIn(await organizationWith(roster)), roster.matching({}));
    });
  }

  test('ends after the last key, also where that is of a year which a number holds only roughly', async () => {
    for (const time of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z']) {
      const keys = firstKeys(1).map(key => ({ ...key, createdAt: parseTimestamp(time) as Timestamp }));
      const { id } = await createOrganization(open.writer);
      await importKeys(open.writer, id, keys);
      const cursor = { direction: 'after', id: keys[0]?.id as ApiKeyId } as const;
      const page = await open.reader.listApiKeys(id, { limit: 1, cursor, filter: {} });
      assert.deepEqual(page?.items, []);
    }
  });

  test('with a filter returns each matching key once', async () => {
    const roster = new ChangingRoster(firstKeys(1000));
    const organization = await organizationWith(roster);
    const workspaces = WORKSPACES.filter(id => id !== null);
    for (const filter of [
      ...STATUSES.map(status => ({ status })),
      ...workspaces.map(workspaceId => ({ workspaceId })),
      ...CREATORS.map(creatorId => ({ creatorId, status: 'active' as const })),
    ])
      assert.deepEqual(await idsIn(organization, filter), roster.matching(filter));
  });

  test('requests the next page only when its consumer is done with the current one', async () => {
    const organization = await organizationWith(new ChangingRoster(firstKeys(300)));
    let pages = 0;
    const countingReader = {
      listApiKeys: (...args: Parameters<typeof open.reader.listApiKeys>) => {
        pages += 1;
        return open.reader.listApiKeys(...args);
      },
    };
    for await (const _ of walkRoster(countingReader, organization)) if (pages === 2) break;
    assert.equal(pages, 2);
  });
});
