import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walkByCreation, walkRoster } from '../../../src/service/roster/walks.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createOrganization, importKeys } from '../../support/roster.ts';

const keys = (name: string) => firstKeys(300).map(key => ({ ...key, name, status: 'active' as const }));

describeEachStore('a snapshot', open => {
  test('has everything as it was at one moment, whatever is committed while it is read', async () => {
    const { id } = await createOrganization(open.writer);
    await importKeys(open.writer, id, keys('before'));
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
