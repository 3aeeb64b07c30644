import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdminKey, newAdminKey, newRotation } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { type Duration, parseDuration } from '../../../src/shared/record/duration.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { AdminKeyId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createOrganization, now, VENDOR } from '../../support/roster.ts';

const DAY = parseDuration('1d') as Duration;
const OF_A_WORKSPACE = { workspaceId: 'wrkspc_1' as WorkspaceId };

describeEachStore("an admin key's life", open => {
  const created = async (change: Partial<AdminKey> = {}) => {
    const { id: organizationId } = await createOrganization(open.writer);
    const secret = AdminKeySecret.issue(VENDOR);
    const key = newAdminKey(secret, { organizationId, scope: null, name: 'audit', createdAt: now() });
    await open.writer.createAdminKey({ ...key, ...change });
    return { ...key, ...change };
  };
  const stored = async ({ organizationId, id }: AdminKey) =>
    plain((await open.writer.listAdminKeys(organizationId, ...ALL)).find(key => key.id === id));
  const plain = (key: AdminKey | null | undefined) => key && { ...key, digest: Buffer.from(key.digest) };

  test('rotated, it works until the end of the overlap, and another works from now on', async () => {
    const key = await created({ scope: OF_A_WORKSPACE, networks: ['10.0.0.0/8'] });
    const rotation = newRotation(AdminKeySecret.issue(VENDOR), now());
    const both = await open.writer.rotateAdminKey(key.id, rotation, DAY);
    const end = (rotation.createdAt + DAY) as Timestamp;
    assert.deepEqual(plain(both.old), plain({ ...key, expiresAt: end, replacedBy: rotation.id }));
    assert.deepEqual(plain(both.new), plain({ ...key, ...rotation }));
    assert.deepEqual([await stored(both.old), await stored(both.new)], [plain(both.old), plain(both.new)]);
    const isFound = async ({ digest }: { digest: Uint8Array }, at: bigint) =>
      (await open.reader.findAdminKey(digest, at as Timestamp)) !== null;
    assert.deepEqual([await isFound(key, end - 1n), await isFound(key, end)], [true, false]);
    assert.deepEqual([await isFound(rotation, now()), await isFound(rotation, end)], [true, true]);
  });

  test("can't be rotated twice, nor when it is revoked, expired or unknown, and nothing is changed", async () => {
    const twice = await created();
    await open.writer.rotateAdminKey(twice.id, newRotation(AdminKeySecret.issue(VENDOR), now()), DAY);
    const revoked = await created({ revokedAt: now() });
    const expired = await created({ expiresAt: (now() - 1n) as Timestamp });
    const before = await open.writer.listAdminKeys(null, ...ALL);
    for (const id of [twice.id, revoked.id, expired.id, 'adminkey_unknown' as AdminKeyId]) {
      const rotation = newRotation(AdminKeySecret.issue(VENDOR), now());
      await assert.rejects(open.writer.rotateAdminKey(id, rotation, DAY), Refused);
    }
    assert.deepEqual(await open.writer.listAdminKeys(null, ...ALL), before);
  });

  test('the day of its last use only moves later', async () => {
    const [one, other] = [await created(), await created()];
    const unknown = 'adminkey_unknown' as AdminKeyId;
    const use = (...days: [AdminKeyId, string][]) => open.writer.recordAdminKeyUse(new Map(days));
    assert.deepEqual(await use([one.id, '2026-11-21'], [unknown, '2026-11-21']), {
      updated: 1,
      unchanged: 0,
      unknown: 1,
    });
    assert.deepEqual(await use([one.id, '2026-11-20'], [other.id, '2026-02-28']), {
      updated: 1,
      unchanged: 1,
      unknown: 0,
    });
    assert.deepEqual(await use(), { updated: 0, unchanged: 0, unknown: 0 });
    const days = [(await stored(one))?.lastUsedOn, (await stored(other))?.lastUsedOn];
    assert.deepEqual(days, ['2026-11-21', '2026-02-28']);
  });
});
