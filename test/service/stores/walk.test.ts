import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walkByCreation, walkRoster } from '../../../src/service/roster/walks.ts';
import type { ApiKeyId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { parseTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';
import { ChangingRoster, firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createOrganization, importKeys } from '../../support/roster.ts';

describeEachStore('a walk', open => {
  const organizationWith = async (roster: ChangingRoster) => {
    const { id } = await createOrganization(open.writer);
    await importKeys(open.writer, id, roster.keys());
    return id;
  };

  test('ends after the last key, also where that is of a year which a number holds only roughly', async () => {
    for (const time of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z']) {
      const keys = firstKeys(1).map(key => ({ ...key, createdAt: parseTimestamp(time) as Timestamp }));
      const id = await organizationWith(new ChangingRoster(keys));
      const cursor = { direction: 'after', id: keys[0]?.id as ApiKeyId } as const;
      const page = await open.reader.listApiKeys(id, { limit: 1, cursor, filter: {} });
      assert.deepEqual(page?.items, []);
    }
  });

  test('of a snapshot has everything as it was at one moment, whatever is committed while it is read', async () => {
    const keys = (name: string) => firstKeys(300).map(key => ({ ...key, name, status: 'active' as const }));
    const id = await organizationWith(new ChangingRoster(keys('before')));
    const adminKeys = await open.writer.listAdminKeys(id, ...ALL);
    const created: OrganizationId[] = [];
    const names = await open.writer.readSnapshot(async snapshot => {
      const found: string[] = [];
      for await (const items of walkRoster(snapshot, id)) {
        found.push(...items.map(({ record }) => JSON.parse(record).name));
        await importKeys(open.writer, id, keys(`after ${found.length}`));
        created.push((await createOrganization(open.writer)).id);
      }
      for await (const page of walkByCreation((...args) => snapshot.listOrganizations(...args)))
        for (const organization of page) assert.ok(!created.includes(organization.id));
      await assert.rejects(snapshot.findOrganization(created[0] as OrganizationId), /no organization/);
      assert.deepEqual(await snapshot.listAdminKeys(id, ...ALL), adminKeys);
      return found;
    });
    assert.deepEqual([names.length, new Set(names)], [300, new Set(['before'])]);
    assert.ok(created.length > 1);
  });
});
