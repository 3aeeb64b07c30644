import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createAdminKey, createOrganization, now } from '../../support/roster.ts';

const digestOf = (secret: string) => (AdminKeySecret.parse(secret) as AdminKeySecret).digest();

describeEachStore("an organization's life", open => {
  const isFound = async (secret: string) =>
    (await open.reader.findAdminKey(digestOf(secret), now())) !== null;

  test('it can be renamed, and keeps all else', async () => {
    const { id } = await createOrganization(open.writer);
    const before = await open.writer.findOrganization(id);
    const renamed = await open.writer.renameOrganization(id, 'Ünï');
    assert.deepEqual({ ...renamed }, { ...before, name: 'Ünï' });
    assert.deepEqual({ ...(await open.writer.findOrganization(id)) }, { ...before, name: 'Ünï' });
  });

  test('disabled, its admin keys are as unknown ones, also a new one, until it is enabled', async () => {
    const { id, secret } = await createOrganization(open.writer);
    const other = await createOrganization(open.writer);
    const at = now();
    assert.equal((await open.writer.disableOrganization(id, at)).disabledAt, at);
    const later = await createAdminKey(open.writer, id);
    assert.deepEqual([await isFound(secret), await isFound(later)], [false, false]);
    assert.ok(await isFound(other.secret));
    const again = await open.writer.disableOrganization(id, now());
    assert.equal(again.disabledAt, at);
    const listed = (await open.writer.listOrganizations(...ALL)).find(each => each.id === id);
    assert.deepEqual({ ...listed }, { ...again });
    assert.equal((await open.writer.enableOrganization(id)).disabledAt, null);
    await open.writer.enableOrganization(id);
    assert.deepEqual([await isFound(secret), await isFound(later)], [true, true]);
  });

  test('an unknown one is refused', async () => {
    const id = 'org_unknown' as OrganizationId;
    const unknown = { name: 'Refused', message: /there is no organization with this ID/ };
    await assert.rejects(open.writer.renameOrganization(id, 'Name'), unknown);
    await assert.rejects(open.writer.disableOrganization(id, now()), unknown);
    await assert.rejects(open.writer.enableOrganization(id), unknown);
    await assert.rejects(open.writer.findContents(id), unknown);
    await assert.rejects(open.writer.deleteNext(id, now(), null), Refused);
  });
});
