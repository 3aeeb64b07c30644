import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { AdminKey } from '../../../src/service/roster/admin-key.ts';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import { isSame } from '../../../src/service/roster/writes/given-admin-key.ts';
import type { AdminKeyId, ApiKeyId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import { formatTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';
import { startKeyroster } from '../../support/command-line.ts';
import { newStore, writerOf } from '../../support/opened.ts';
import { ALL, createAdminKey, createOrganization, importKeys, now, sqlite } from '../../support/roster.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import { type Scope, temporaryFolder } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { serveStore } from '../../support/service.ts';
import { postgres, type StoreKind } from '../../support/stores.ts';

const KEYS = 1_200;

/** Writers of an embedded store with all that a move has to take, and of an empty store, and a move from one to the other. */
async function stores(scope: Scope, kind: StoreKind = postgres) {
  const [source, target] = [await newStore(scope, sqlite), await newStore(scope, kind)];
  const move = (...args: string[]) =>
    runCommand(['move', '--database', source.url, '--to', target.url, ...args]);
  return {
    ...{ source, target, move },
    writer: await writerOf(scope, source),
    other: await writerOf(scope, target),
  };
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
    const { source, target, move, writer, other } = await stores(t, kind);
    const { large, small, revoked, gone } = await fill(writer);
    assert.deepEqual(await move(), { exitCode: 0, stdout: COPIED, stderr: '' });

    const services = [await serveStore(t, source), await serveStore(t, target)];
    for (const secret of [large.secret, small.secret, revoked, gone.secret]) {
      const answers = services.map(service => service.list(secret, 'limit=1000'));
      const [ours, theirs] = await Promise.all(answers);
      assert.equal(theirs?.status, ours?.status);
      if (ours?.status === 200) assert.deepEqual(theirs?.body, ours.body);
    }
    const all = await writer.listAdminKeys(null, ...ALL);
    const kept = all.filter(({ organizationId }) => organizationId !== gone.id);
    const copied = await other.listAdminKeys(null, ...ALL);
    assert.equal(copied.length, kept.length);
    for (const [index, key] of kept.entries()) assert.ok(isSame(copied[index] as AdminKey, key), key.id);
    const again = JSON.parse((await move('--json')).stdout);
    assert.deepEqual(again, { organizations: 2, admin_keys: 4, api_keys: KEYS });
  });

test('a move that was killed at any moment is completed by the next, and what has changed since is brought over', async t => {
  const { source, target, move, writer, other } = await stores(t);
  const { large } = await fill(writer);
  for (let round = 0; round < 2; round += 1) {
    const moving = startKeyroster(t, ['move', '--database', source.url, '--to', target.url]);
    await setTimeout(300 + Math.random() * 1_500);
    await moving.stop('SIGKILL');
  }
  const [key] = await writer.listAdminKeys(large.id, ...ALL);
  const at = now();
  await writer.revokeAdminKey(key?.id as AdminKeyId, at);
  await importKeys(writer, large.id, numberedKeys(KEYS + 1).slice(-1));
  await writer.renameOrganization(large.id, 'Larger');
  const moved = await move();
  assert.deepEqual([moved.stdout, moved.stderr], [COPIED.replace(String(KEYS), String(KEYS + 1)), '']);
  const [brought] = await other.listAdminKeys(large.id, ...ALL);
  assert.equal(formatTimestamp(brought?.revokedAt as Timestamp), formatTimestamp(at));
  assert.equal((await other.findOrganization(large.id)).name, 'Larger');
});

test('nothing that ended in the target begins again, and what is only there stays', async t => {
  const { move, writer, other } = await stores(t);
  const { large } = await fill(writer);
  await move();
  const [key] = await other.listAdminKeys(large.id, ...ALL);
  const { revokedAt } = await other.revokeAdminKey(key?.id as AdminKeyId, now());
  await importKeys(other, large.id, numberedKeys(KEYS + 1).slice(-1));
  assert.deepEqual(await move(), { exitCode: 0, stdout: COPIED, stderr: '' });
  const [kept] = await other.listAdminKeys(large.id, ...ALL);
  assert.equal(kept?.revokedAt, revokedAt);
  assert.equal((await other.findContents(large.id)).apiKeys, KEYS + 1);
});

test('move refuses what the target can not take, and says what', async t => {
  const { source, target, move, writer, other } = await stores(t);
  const moveTo = (to: string) => runCommand(['move', '--database', source.url, '--to', to]);
  const sameStore = await moveTo(source.url.replace('sqlite:', 'sqlite:/.'));
  assertFailed(sameStore, 2, /: --to: is store_[0-9a-f]{16}, as --database is: give another store\n$/);
  assertFailed(await moveTo('mysql://secret'), 2, /: --to: must be sqlite:FILE or postgres:\/\/…\n/);
  const copy = join(temporaryFolder(t), 'copy.db');
  await source.backup(copy);
  const ofCopy = await runCommand(['move', '--database', `sqlite:${copy}`, '--to', target.url]);
  assertFailed(ofCopy, 1, /this is a copy of store_/);
  const { id } = await createOrganization(writer);
  await other.createOrganization({ id, name: 'Test', createdAt: now() });
  assertFailed(
    await move(),
    1,
    new RegExp(`: move: the target refuses the organization ${id}: it has one of 20`),
  );
  await other.addField({ name: 'tier', type: { kind: 'boolean' } });
  assertFailed(await move(), 1, /^keyroster: move: the target declares the field tier, /);
});
