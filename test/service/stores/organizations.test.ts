import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAdminKey } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { type CreationPosition, START } from '../../../src/service/roster/walks.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import { newId, type OrganizationId } from '../../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createAdminKey, createOrganization, now, VENDOR } from '../../support/roster.ts';

describeEachStore('organizations', open => {
  const isFound = async (secret: string) => {
    const digest = (AdminKeySecret.parse(secret) as AdminKeySecret).digest();
    return (await open.reader.findAdminKey(digest, now())) !== null;
  };
  const listed = async (id: OrganizationId) => ({
    ...(await open.writer.listOrganizations(...ALL)).find(each => each.id === id),
  });

  test('are listed exactly as they were created, to the microsecond, and renamed keep all else', async () => {
    const id = newId<OrganizationId>('org');
    const organization = { id, name: 'Ünïted 検索', createdAt: 1_730_332_707_427_722n as Timestamp };
    await open.writer.createOrganization(organization);
    const stored = { ...organization, disabledAt: null, deletedAt: null };
    assert.deepEqual(await listed(id), stored);
    const renamed = { ...stored, name: 'Ünï' };
    assert.deepEqual({ ...(await open.writer.renameOrganization(id, 'Ünï')) }, renamed);
    assert.deepEqual({ ...(await open.writer.findOrganization(id)) }, renamed);
  });

  test('that are disabled have admin keys as unknown ones, also a new one, until they are enabled', async () => {
    const { id, secret } = await createOrganization(open.writer);
    const other = await createOrganization(open.writer);
    const at = now();
    assert.equal((await open.writer.disableOrganization(id, at)).disabledAt, at);
    const later = await createAdminKey(open.writer, id);
    assert.deepEqual([await isFound(secret), await isFound(later)], [false, false]);
    assert.ok(await isFound(other.secret));
    assert.equal((await open.writer.disableOrganization(id, now())).disabledAt, at);
    assert.equal((await listed(id)).disabledAt, at);
    for (const _ of ['enabled', 'again'])
      assert.equal((await open.writer.enableOrganization(id)).disabledAt, null);
    assert.deepEqual([await isFound(secret), await isFound(later)], [true, true]);
  });

  test('that are unknown are refused', async () => {
    const id = 'org_unknown' as OrganizationId;
    const unknown = { name: 'Refused', message: /there is no organization with this ID/ };
    await assert.rejects(open.writer.renameOrganization(id, 'Name'), unknown);
    await assert.rejects(open.writer.disableOrganization(id, now()), unknown);
    await assert.rejects(open.writer.enableOrganization(id), unknown);
    await assert.rejects(open.writer.findContents(id), unknown);
    await assert.rejects(open.writer.deleteNext(id, now(), null), Refused);
    await assert.rejects(open.writer.listAdminKeys(id, ...ALL), Refused);
  });

  test('and admin keys are listed in pages of any size, by creation and then by ID as bytes', async () => {
    const createdAt = now();
    const idOf = (id: string) => `${id}_${createdAt}` as OrganizationId;
    for (const id of ['org_b', 'org_B', 'org_a', 'org_-', 'org_z'].map(idOf)) {
      const later = id.startsWith('org_z') ? -1n : 0n;
      await open.writer.createOrganization({ id, name: 'Test', createdAt: (createdAt + later) as Timestamp });
      const parts = { organizationId: id, scope: null, name: 'test', createdAt };
      await open.writer.createAdminKey(newAdminKey(AdminKeySecret.issue(VENDOR), parts));
    }
    const organizations = await open.writer.listOrganizations(...ALL);
    const order = ['org_z', 'org_-', 'org_B', 'org_a', 'org_b'].map(idOf);
    assert.deepEqual(
      organizations.map(({ id }) => id).filter(id => order.includes(id)),
      order,
    );
    const adminKeys = await open.writer.listAdminKeys(null, ...ALL);
    for (const limit of [1, 2, 3]) {
      assert.deepEqual(await pagesOf(after => open.writer.listOrganizations(after, limit)), organizations);
      assert.deepEqual(await pagesOf(after => open.writer.listAdminKeys(null, after, limit)), adminKeys);
    }
  });
});

async function pagesOf<Row extends CreationPosition>(
  list: (after: CreationPosition) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = await list(START); page.length > 0; page = await list(page.at(-1) as Row))
    rows.push(...page);
  return rows;
}
