import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWriter } from '../../../src/service/library/library.ts';
import { START } from '../../../src/service/roster/walks.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { putRecord } from '../../support/import-file.ts';
import { recordsOf } from '../../support/opened.ts';

const closed = { name: 'Refused', message: 'database: the store is closed' };

describeEachStore('the close of a writer', open => {
  const openOne = () => openWriter({ database: open.store.url });

  test('waits for the put under way and for those that wait, and their keys are stored', async () => {
    for (const count of [1, 6]) {
      const writer = await openOne();
      const { id } = await writer.createOrganization({ name: 'Acme' });
      const puts = Array.from({ length: count }, (_, index) => writer.put(id, putRecord(`k${index}`)));
      await writer.close();
      for (const { inserted } of await Promise.all(puts)) assert.equal(inserted, 1);
      assert.equal((await recordsOf(open.reader, id as OrganizationId)).length, count);
    }
  });

  test('refuses every call after it, and another close does nothing', async () => {
    const writer = await openOne();
    const { id } = await writer.createOrganization({ name: 'Acme' });
    const closing = writer.close();
    await assert.rejects(writer.put(id, putRecord('k1')), closed);
    await Promise.all([closing, writer.close()]);
    for (const call of [
      () => writer.put(id, putRecord('k1')),
      () => writer.setStatus(id, 'k1', 'inactive'),
      () => writer.createOrganization({ name: 'Other' }),
      () => writer.createAdminKey(id),
      () => writer.revokeAdminKey('adminkey_1'),
    ])
      await assert.rejects(call, closed);
    await writer.close();
  });

  test("waits for what a command reads and refuses it afterwards, over the operator's writer too", async () => {
    const writer = await open.store.openWriter();
    const organizations = writer.listOrganizations(START, 1);
    await writer.close();
    assert.ok(Array.isArray(await organizations));
    await assert.rejects(writer.listOrganizations(START, 1), closed);
    const unavailable = { name: 'StoreUnavailable', message: /the store is closed/ };
    await assert.rejects(writer.checkReadiness(), unavailable);
    await writer.close();
  });
});
