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
import { runSql } from '../../support/run-sql.ts';

const DAY = parseDuration('1d') as Duration;
const scope = { workspaceId: 'wrkspc_1' as WorkspaceId };
const UNKNOWN = 'adminkey_unknown' as AdminKeyId;
const plain = (key: AdminKey | null | undefined) => key && { ...key, digest: Buffer.from(key.digest) };
const time = (microseconds: bigint) => microseconds as Timestamp;

const TRIGGERS: Readonly<Record<string, readonly [make: string, drop: string]>> = {
  SQLite: [
    'CREATE TRIGGER undo BEFORE UPDATE OF revoked_at ON admin_keys BEGIN SELECT raise(ignore); END',
    'DROP TRIGGER undo',
  ],
  PostgreSQL: [
    `CREATE FUNCTION keyroster.undo() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
     CREATE TRIGGER undo BEFORE UPDATE ON keyroster.admin_keys FOR EACH ROW EXECUTE FUNCTION keyroster.undo()`,
    'DROP FUNCTION keyroster.undo CASCADE',
  ],
};

describeEachStore('an admin key', (open, kind) => {
  const keyWith = async (change: Partial<AdminKey> = {}): Promise<AdminKey> => {
    const { id: organizationId } = await createOrganization(open.writer);
    const parts = { organizationId, scope: null, name: 'audit', createdAt: now() };
    return { ...newAdminKey(AdminKeySecret.issue(VENDOR), parts), ...change };
  };
  const created = async (change: Partial<AdminKey> = {}) => {
    const key = await keyWith(change);
    await open.writer.createAdminKey(key);
    return key;
  };
  const stored = async ({ organizationId, id }: AdminKey) =>
    plain((await open.writer.listAdminKeys(organizationId, ...ALL)).find(key => key.id === id));
  const rotation = () => newRotation(AdminKeySecret.issue(VENDOR), now());

  test('is found by the digest of its secret and by no other, until it expires, to the microsecond', async () => {
    const expiresAt = time(1_900_000_000_000_001n);
    const key = await created({ expiresAt });
    // It is cached when it is read a second time.
    for (const _ of [1, 2, 3])
      assert.deepEqual(plain(await open.reader.findAdminKey(key.digest, time(expiresAt - 1n))), plain(key));
    assert.equal(await open.reader.findAdminKey(key.digest, expiresAt), null);
    assert.equal(await open.reader.findAdminKey(new Uint8Array(32), now()), null);
  });

  test('that is revoked is not found any more at once, and revoking it again keeps the first time', async () => {
    const key = await created();
    const find = () => open.reader.findAdminKey(key.digest, now());
    for (const _ of [1, 2, 3]) assert.ok(await find());
    const revokedAt = now();
    for (const later of [0n, 5n]) await open.writer.revokeAdminKey(key.id, time(revokedAt + later));
    assert.equal(await find(), null);
    assert.equal((await stored(key))?.revokedAt, revokedAt);
    await assert.rejects(open.writer.revokeAdminKey(UNKNOWN, now()), Refused);
  });

  test('that is rotated works until the end of the overlap, and another works from now on', async () => {
    const key = await created({ scope, networks: ['10.0.0.0/8'] });
    const next = rotation();
    const both = await open.writer.rotateAdminKey(key.id, next, DAY);
    const end = time(next.createdAt + DAY);
    assert.deepEqual(plain(both.old), plain({ ...key, expiresAt: end, replacedBy: next.id }));
    assert.deepEqual(plain(both.new), plain({ ...key, ...next }));
    assert.deepEqual([await stored(both.old), await stored(both.new)], [plain(both.old), plain(both.new)]);
    const isFound = async ({ digest }: { digest: Uint8Array }, at: bigint) =>
      (await open.reader.findAdminKey(digest, time(at))) !== null;
    assert.deepEqual([await isFound(key, end - 1n), await isFound(key, end)], [true, false]);
    assert.deepEqual([await isFound(next, now()), await isFound(next, end)], [true, true]);
  });

  test("can't be rotated twice, nor when it is revoked, expired or unknown, and nothing is changed", async () => {
    const twice = await created();
    await open.writer.rotateAdminKey(twice.id, rotation(), DAY);
    const revoked = await created({ revokedAt: now() });
    const expired = await created({ expiresAt: time(now() - 1n) });
    const before = await open.writer.listAdminKeys(null, ...ALL);
    for (const id of [twice.id, revoked.id, expired.id, UNKNOWN])
      await assert.rejects(open.writer.rotateAdminKey(id, rotation(), DAY), Refused);
    assert.deepEqual(await open.writer.listAdminKeys(null, ...ALL), before);
  });

  /** What the store has after these copies of a key in another store came one after the other. */
  const afterCopies = async (...copies: [AdminKey, AdminKey]) => {
    for (const copy of copies) await open.writer.copyAdminKeys([copy]);
    return stored(copies[0]);
  };

  test('that is copied from another store brings over its scope, and what has ended there since', async () => {
    const key = await keyWith({ scope });
    const [expiresAt, revokedAt] = [time(key.createdAt + 9n), time(key.createdAt + 5n)];
    const replacedBy = 'adminkey_next' as AdminKeyId;
    const ended: AdminKey = { ...key, expiresAt, revokedAt, replacedBy };
    assert.deepEqual(await afterCopies(key, ended), plain(ended));
  });

  test('that is copied begins nothing again that has ended here: of two ends the earlier holds', async () => {
    const key = await keyWith();
    const [early, late] = [time(key.createdAt + 1n), time(key.createdAt + 2n)];
    const ended: AdminKey = { ...key, expiresAt: early, revokedAt: early };
    for (const expiresAt of [late, null]) {
      const copy: AdminKey = { ...key, expiresAt, revokedAt: null };
      assert.deepEqual(await afterCopies(ended, copy), plain(ended));
    }
  });

  test('that is copied is refused where another has its ID, or it is here with another scope', async () => {
    const [key, other] = [await keyWith(), await keyWith()];
    await open.writer.copyAdminKeys([key]);
    for (const copy of [
      { ...other, id: key.id },
      { ...key, scope },
    ])
      await assert.rejects(open.writer.copyAdminKeys([copy]), Refused);
  });

  test('is not said to be revoked where a trigger drops that', async () => {
    const key = await created();
    const { url } = open.store;
    const [make, drop] = TRIGGERS[kind.name] ?? [];
    await runSql(url, String(make));
    await assert.rejects(
      open.writer.revokeAdminKey(key.id, now()),
      /the admin key is not revoked: a trigger/,
    );
    await runSql(url, String(drop));
  });
});
