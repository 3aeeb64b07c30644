import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import { deleteOrganization, ROWS_PER_STEP } from '../../../src/service/roster/organization.ts';
import type { RosterReader } from '../../../src/service/roster/pages/page.ts';
import { walkRoster } from '../../../src/service/roster/walks.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import { newId, type OrganizationId } from '../../../src/shared/record/identifier.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createAdminKey, createOrganization, importKeys, now } from '../../support/roster.ts';

const digestOf = (secret: string) => (AdminKeySecret.parse(secret) as AdminKeySecret).digest();

async function rosterOf(reader: RosterReader, id: OrganizationId): Promise<string[]> {
  const ids: string[] = [];
  for await (const items of walkRoster(reader, id)) ids.push(...items.map(item => item.id));
  return ids;
}

const beingDeleted = { name: 'Refused', message: /is being deleted/ };

describeEachStore('a deletion of an organization', open => {
  const nothing = () => {};
  /** Throws what the first refused line has. */
  const imported = async (id: OrganizationId, keys: readonly ApiKey[]) => {
    const { refusals, inserted } = await importKeys(open.writer, id, keys);
    if (refusals[0]) throw new Refused(refusals[0].faults[0]?.problem ?? '');
    return inserted;
  };
  test('takes its API keys, its admin keys and itself in steps, and nothing of others, and a cursor that is gone is unknown', async () => {
    const { id, secret } = await createOrganization(open.writer);
    const other = await createOrganization(open.writer);
    const keys = firstKeys(2 * ROWS_PER_STEP + 500);
    await importKeys(open.writer, id, keys);
    await importKeys(open.writer, other.id, firstKeys(300));
    assert.deepEqual(await open.writer.findContents(id), { apiKeys: keys.length, adminKeys: 1 });
    const cursor = { direction: 'after', id: (keys[5] as ApiKey).id } as const;
    assert.ok(await open.reader.listApiKeys(id, { limit: 5, filter: {}, cursor }));
    const deleted: number[] = [];
    await deleteOrganization(open.writer, id, now(), apiKeys => deleted.push(apiKeys));
    assert.deepEqual([...new Set(deleted)], [0, ROWS_PER_STEP, 2 * ROWS_PER_STEP, keys.length]);
    assert.deepEqual(await rosterOf(open.reader, id), []);
    assert.equal(await open.reader.listApiKeys(id, { limit: 5, filter: {}, cursor }), null);
    assert.equal((await rosterOf(open.reader, other.id)).length, 300);
    assert.equal(await open.reader.findAdminKey(digestOf(secret), now()), null);
    assert.ok(await open.reader.findAdminKey(digestOf(other.secret), now()));
    const adminKeys = await open.writer.listAdminKeys(null, ...ALL);
    assert.ok(!adminKeys.some(({ organizationId }) => organizationId === id));
    await assert.rejects(open.writer.findOrganization(id), /no organization with this ID/);
  });

  test('refuses its admin keys from the first step on, and all that would write it', async () => {
    const { id, secret } = await createOrganization(open.writer);
    const [key, another] = firstKeys(2);
    assert.ok(key && another);
    await importKeys(open.writer, id, [key]);
    assert.equal((await open.writer.deleteNext(id, now(), null)).begun, true);
    assert.equal(await open.reader.findAdminKey(digestOf(secret), now()), null);
    const organization = { id, name: 'Again', createdAt: now() };
    const writes: (() => Promise<unknown>)[] = [
      () => open.writer.putApiKeys(id, [another]),
      () => imported(id, [another]),
      () => open.writer.setStatus(id, [key.id], 'archived'),
      () => createAdminKey(open.writer, id),
      () => open.writer.renameOrganization(id, 'Again'),
      () => open.writer.disableOrganization(id, now()),
      () => open.writer.enableOrganization(id),
    ];
    for (const write of writes) await assert.rejects(write(), beingDeleted);
    await assert.rejects(open.writer.createOrganization(organization), /already exists/);
    assert.equal((await open.writer.findOrganization(id)).name, 'Test');
    await deleteOrganization(open.writer, id, now(), nothing);
    await open.writer.createOrganization(organization);
    assert.equal((await importKeys(open.writer, id, [another])).inserted, 1);
    assert.deepEqual(await rosterOf(open.reader, id), [another.id]);
  });

  test("gives the next organization's readers nothing of what they have cached of it", async () => {
    const [key, another] = firstKeys(2);
    assert.ok(key && another);
    const filter = { creatorId: key.createdBy.id };
    for (let round = 0; round < 3; round += 1) {
      const [one, other] = [newId<OrganizationId>('org'), newId<OrganizationId>('org')];
      const page = (of: OrganizationId) => open.reader.listApiKeys(of, { limit: 5, filter, cursor: null });
      await open.writer.createOrganization({ id: one, name: 'One', createdAt: now() });
      await importKeys(open.writer, one, [key]);
      assert.equal((await page(one))?.items.length, 1);
      await deleteOrganization(open.writer, one, now(), nothing);
      await open.writer.createOrganization({ id: other, name: 'Other', createdAt: now() });
      const ofOther = { ...another, createdBy: key.createdBy };
      await importKeys(open.writer, other, [ofOther]);
      assert.deepEqual((await page(one))?.items, []);
      assert.deepEqual(
        (await page(other))?.items.map(({ id }) => id),
        [another.id],
      );
      await deleteOrganization(open.writer, other, now(), nothing);
    }
  });

  test('can be stopped between any two steps, and the next run does the rest', async () => {
    const ids: OrganizationId[] = [];
    for (let steps = 0; steps < 4; steps += 1) {
      const { id } = await createOrganization(open.writer);
      ids.push(id);
      await imported(id, firstKeys(2 * ROWS_PER_STEP));
      for (let step = 0; step < steps; step += 1) await open.writer.deleteNext(id, now(), null);
    }
    const [untouched, ...begun] = ids as [OrganizationId];
    for (const id of begun) await deleteOrganization(open.writer, id, now(), nothing);
    for (const id of begun) {
      assert.deepEqual(await rosterOf(open.reader, id), []);
      await assert.rejects(open.writer.findOrganization(id), /no organization with this ID/);
      await assert.rejects(deleteOrganization(open.writer, id, now(), nothing), Refused);
    }
    assert.equal((await open.writer.findContents(untouched)).apiKeys, 2 * ROWS_PER_STEP);
  });
});
