import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { AdminKey } from '../../../../src/service/roster/admin-key.ts';
import { isSame } from '../../../../src/service/roster/given-admin-key.ts';
import type { RosterWriter } from '../../../../src/service/roster/roster.ts';
import type { AdminKeyId, ApiKeyId, WorkspaceId } from '../../../../src/shared/record/identifier.ts';
import { formatTimestamp, type Timestamp } from '../../../../src/shared/record/timestamp.ts';
import { startKeyroster } from '../../../support/command-line.ts';
import { ALL, createAdminKey, createOrganization, importKeys, now, sqlite } from '../../../support/roster.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import { atEndOf, type Scope } from '../../../support/scope.ts';
import { numberedKeys } from '../../../support/seeded-service.ts';
import { startService } from '../../../support/service.ts';
import { storeAt } from '../../../support/store-at.ts';
import { postgres, type StoreKind } from '../../../support/stores.ts';

const KEYS = 1_200;

/** An embedded store with all that a move has to take, and an empty store. */
async function stores(scope: Scope, to: StoreKind = postgres) {
  const from = await sqlite.create();
  const target = await to.create();
  atEndOf(scope, () => from.remove());
  atEndOf(scope, () => target.remove());
  const writer = await from.openWriter();
  const other = await target.openWriter();
  atEndOf(scope, () => writer.close());
  atEndOf(scope, () => other.close());
  return { from: from.url, to: target.url, target, writer, other };
}

async function fill(writer: RosterWriter) {
  await writer.addField({ name: 'last_used_at', type: { kind: 'timestamp' } });
  const [field] = await writer.listFields();
  assert.ok(field);
  const large = await createOrganization(writer);
  const keys = numberedKeys(KEYS).map((key, index) =>
    index % 2 ? { ...key, declared: [{ field, value: '2026-11-22T09:00:00.000001Z' }] } : key,
  );
  await importKeys(writer, large.id, keys);
  await writer.setStatus(large.id, [keys[3]?.id as ApiKeyId], 'archived');
  const small = await createOrganization(writer);
  await writer.renameOrganization(small.id, 'Ünïted');
  await writer.disableOrganization(small.id, now());
  const revoked = await createAdminKey(writer, large.id);
  const [, key] = await writer.listAdminKeys(large.id, ...ALL);
  await writer.revokeAdminKey(key?.id as AdminKeyId, now());
  await writer.recordAdminKeyUse(new Map([[key?.id as AdminKeyId, '2026-11-21']]));
  const ends = (now() + 3_600_000_000n) as Timestamp;
  const scope = { workspaceId: 'wrkspc_1' as WorkspaceId };
  await createAdminKey(writer, large.id, { scope, expiresAt: ends, networks: ['10.0.0.0/8'], name: 'audit' });
  const gone = await createOrganization(writer);
  await writer.deleteNext(gone.id, now(), null);
  return { large, small, revoked, gone };
}

const COPIED = `copied: organizations 2, admin keys 4, API keys ${KEYS}\n`;

for (const kind of [postgres, sqlite])
  test(`move copies an embedded store to ${kind.name}: the same secrets list the same records there`, async t => {
    const { from, to, target, writer, other } = await stores(t, kind);
    const { large, small, revoked, gone } = await fill(writer);
    const moved = await runCommand(['move', '--database', from, '--to', to]);
    assert.deepEqual([moved.exitCode, moved.stdout, moved.stderr], [0, COPIED, '']);

    const bySource = await startService(await storeAt(from).openReader());
    const byTarget = await startService(await target.openReader());
    atEndOf(t, () => bySource.close());
    atEndOf(t, () => byTarget.close());
    for (const secret of [large.secret, small.secret, revoked, gone.secret]) {
      const [ours, theirs] = [
        await bySource.list(secret, 'limit=1000'),
        await byTarget.list(secret, 'limit=1000'),
      ];
      assert.equal(theirs.status, ours.status);
      if (ours.status === 200) assert.deepEqual(theirs.body, ours.body);
    }
    const kept = (await writer.listAdminKeys(null, ...ALL)).filter(
      ({ organizationId }) => organizationId !== gone.id,
    );
    const copied = await other.listAdminKeys(null, ...ALL);
    assert.equal(copied.length, kept.length);
    for (const [index, key] of kept.entries()) assert.ok(isSame(copied[index] as AdminKey, key), key.id);
    const again = await runCommand(['move', '--database', from, '--to', to, '--json']);
    assert.deepEqual(JSON.parse(again.stdout), {
      organizations: 2,
      admin_keys: 4,
      api_keys: KEYS,
    });
  });

test('a move that was killed at any moment is completed by the next, and what has changed since is brought over', async t => {
  const { from, to, writer, other } = await stores(t);
  const { large } = await fill(writer);
  for (let round = 0; round < 2; round += 1) {
    const moving = startKeyroster(t, ['move', '--database', from, '--to', to]);
    await setTimeout(300 + Math.random() * 1_500);
    await moving.stop('SIGKILL');
  }
  const [key] = await writer.listAdminKeys(large.id, ...ALL);
  const at = now();
  await writer.revokeAdminKey(key?.id as AdminKeyId, at);
  await importKeys(writer, large.id, numberedKeys(KEYS + 1).slice(-1));
  await writer.renameOrganization(large.id, 'Renamed');
  const moved = await runCommand(['move', '--database', from, '--to', to]);
  assert.deepEqual([moved.stdout, moved.stderr], [COPIED.replace(String(KEYS), String(KEYS + 1)), '']);
  const [brought] = await other.listAdminKeys(large.id, ...ALL);
  assert.equal(formatTimestamp(brought?.revokedAt as Timestamp), formatTimestamp(at));
});

test('nothing that ended in the target begins again, and what is only there stays', async t => {
  const { from, to, writer, other } = await stores(t);
  const { large } = await fill(writer);
  await runCommand(['move', '--database', from, '--to', to]);
  const [key] = await other.listAdminKeys(large.id, ...ALL);
  const { revokedAt } = await other.revokeAdminKey(key?.id as AdminKeyId, now());
  await importKeys(other, large.id, numberedKeys(KEYS + 1).slice(-1));
  const again = await runCommand(['move', '--database', from, '--to', to]);
  assert.deepEqual([again.exitCode, again.stdout, again.stderr], [0, COPIED, '']);
  const [kept] = await other.listAdminKeys(large.id, ...ALL);
  assert.equal(kept?.revokedAt, revokedAt);
  assert.equal((await other.findContents(large.id)).apiKeys, KEYS + 1);
});

test('move refuses what the target can not take, and says what', async t => {
  const { from, to, writer, other } = await stores(t);
  await fill(writer);
  const error = async (...args: string[]) => {
    const { exitCode, stderr } = await runCommand(['move', '--database', from, ...args]);
    return [exitCode, stderr];
  };
  const [code, sameStore] = await error('--to', `sqlite:/.${from.slice('sqlite:'.length)}`);
  assert.equal(code, 2);
  assert.match(
    String(sameStore),
    /^keyroster: --to: is store_[0-9a-f]{16}, as --database is: give another store\n$/,
  );
  assert.deepEqual(await error('--to', 'mysql://secret'), [
    2,
    'keyroster: --to: must be sqlite:FILE or postgres://…\n',
  ]);
  const copy = `${from.slice('sqlite:'.length)}.copy`;
  await storeAt(from).backup(copy);
  atEndOf(t, () => rmSync(copy));
  const ofCopy = await runCommand(['move', '--database', `sqlite:${copy}`, '--to', to]);
  assertFailed(ofCopy, 1, /this is a copy of store_/);
  await other.addField({ name: 'tier', type: { kind: 'boolean' } });
  const [exitCode, message] = await error('--to', to);
  assert.equal(exitCode, 1);
  assert.match(String(message), /^keyroster: move: the target declares the field tier, /);
});
