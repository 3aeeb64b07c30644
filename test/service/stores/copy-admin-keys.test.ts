import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdminKey, newAdminKey } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { AdminKeyId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createOrganization, now, VENDOR } from '../../support/roster.ts';

describeEachStore('admin keys that are copied from another store', open => {
  const keyOf = async () => {
    const { id: organizationId } = await createOrganization(open.writer);
    return newAdminKey(AdminKeySecret.issue(VENDOR), {
      organizationId,
      scope: null,
      name: 'audit',
      createdAt: now(),
    });
  };
  /** What the store has after these copies came one after the other. */
  const after = async (...copies: AdminKey[]) => {
    for (const copy of copies) await open.writer.copyAdminKeys([copy]);
    const keys = await open.writer.listAdminKeys(copies[0]?.organizationId ?? null, ...ALL);
    const stored = keys.find(({ id }) => id === copies[0]?.id) as AdminKey;
    return { ...stored, digest: Buffer.from(stored.digest) };
  };
  const plain = (key: AdminKey) => ({ ...key, digest: Buffer.from(key.digest) });
  const time = (microseconds: bigint) => microseconds as Timestamp;

  const scope = { workspaceId: 'wrkspc_1' as WorkspaceId };

  test('bring over their scope, and what has ended there since', async () => {
    const key = { ...(await keyOf()), scope };
    const ended: AdminKey = {
      ...key,
      expiresAt: time(key.createdAt + 9n),
      revokedAt: time(key.createdAt + 5n),
      replacedBy: 'adminkey_next' as AdminKeyId,
      lastUsedOn: '2026-11-21',
    };
    assert.deepEqual(await after(key, ended), plain(ended));
  });

  test('begin nothing again that has ended here: of two ends the earlier holds, and of two uses the later', async () => {
    const key = await keyOf();
    const [early, late] = [time(key.createdAt + 1n), time(key.createdAt + 2n)];
    const ended: AdminKey = { ...key, expiresAt: early, revokedAt: early, lastUsedOn: '2026-11-21' };
    for (const expiresAt of [late, null]) {
      const copy: AdminKey = { ...key, expiresAt, revokedAt: null, lastUsedOn: '2026-11-20' };
      assert.deepEqual(await after(ended, copy), plain(ended));
    }
  });

  test('are refused where another admin key has the ID, or the same with another scope', async () => {
    const [key, other] = [await keyOf(), await keyOf()];
    await open.writer.copyAdminKeys([key]);
    for (const copy of [
      { ...other, id: key.id },
      { ...key, scope },
    ])
      await assert.rejects(open.writer.copyAdminKeys([copy]), Refused);
  });
});
