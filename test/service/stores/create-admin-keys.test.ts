import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdminKey, newAdminKey } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import {
  type AdminKeyLine,
  adminKeyParser,
  type GivenAdminKey,
} from '../../../src/service/roster/given-admin-key.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createOrganization, now, VENDOR } from '../../support/roster.ts';

const linesOf = (records: readonly object[]) =>
  records.map(
    (record, index) => ({ line: index + 1, source: '', ...adminKeyParser(now())(record) }) as AdminKeyLine,
  );

const issue = (missing: readonly GivenAdminKey[]): AdminKey[] =>
  missing.map(given => newAdminKey(AdminKeySecret.issue(VENDOR), { ...given, createdAt: now() }));

describeEachStore('admin keys that are created in bulk', open => {
  const keysOf = async (organization: string) =>
    (await open.writer.listAdminKeys(null, ...ALL)).filter(key => key.organizationId === organization);

  test('are stored as one that is created by itself, and found', async () => {
    const { id } = await createOrganization(open.writer);
    const networks = ['10.0.0.0/8', '2001:db8::/32'];
    const more = { name: 'audit', expires_at: '2099-01-02T03:04:05.678901Z', networks, workspace_id: 'w' };
    const lines = linesOf([{ organization_id: id }, { organization_id: id, ...more }]);
    const { created, ...counts } = await open.writer.createAdminKeys(lines, issue);
    assert.deepEqual(counts, { unchanged: 0, refused: [] });
    const plain = (key: AdminKey | null) => ({ ...key, digest: Buffer.from(key?.digest ?? []) });
    for (const key of created)
      assert.deepEqual(plain(await open.reader.findAdminKey(key.digest, now())), plain(key));
    assert.deepEqual(
      created.map(({ name, networks: of, scope }) => [name, of, scope]),
      [
        ['admin key', null, null],
        ['audit', networks, { workspaceId: 'w' }],
      ],
    );
  });

  test('are refused where the key of that name is for another workspace: it would stay so', async () => {
    const { id } = await createOrganization(open.writer);
    const put = (line: object) =>
      open.writer.createAdminKeys(linesOf([{ organization_id: id, ...line }]), issue);
    await put({ name: 'all' });
    await put({ name: 'one', workspace_id: 'w' });
    assert.equal((await put({ name: 'one', workspace_id: 'w' })).unchanged, 1);
    for (const line of [
      { name: 'all', workspace_id: 'w' },
      { name: 'one' },
      { name: 'one', workspace_id: 'v' },
    ]) {
      const { created, refused } = await put(line);
      assert.deepEqual(created, []);
      assert.match(JSON.stringify(refused), /"workspace_id","problem":"is not that of the valid admin key/);
    }
  });

  test('are made once for a name, until the key of that name is revoked or expires', async () => {
    const { id } = await createOrganization(open.writer);
    const lines = linesOf(['a', 'b'].map(name => ({ organization_id: id, name })));
    const { created } = await open.writer.createAdminKeys(lines, issue);
    const again = () => open.writer.createAdminKeys(lines, issue);
    assert.deepEqual(await again(), { created: [], unchanged: 2, refused: [] });
    const [a] = created;
    assert.ok(a);
    await open.writer.revokeAdminKey(a.id, now());
    const remade = await again();
    assert.deepEqual([remade.created.map(({ name }) => name), remade.unchanged], [['a'], 1]);
    assert.equal((await keysOf(id)).length, 4);
  });

  test('are none when a line is refused, or when the secrets are not kept', async () => {
    const { id } = await createOrganization(open.writer);
    const good = { organization_id: id, name: 'good' };
    const lines = linesOf([
      good,
      good,
      { organization_id: 'unknown' },
      { ...good, expires_at: '2001-01-01T00:00:00Z' },
      { ...good, name: 'default', workspace_id: null },
    ]);
    const { created, refused } = await open.writer.createAdminKeys(lines, () => assert.fail('issued'));
    assert.deepEqual(created, []);
    assert.deepEqual(
      refused.map(({ line, faults }) => `${line}: ${faults[0]?.field}: ${faults[0]?.problem}`),
      [
        '2: name: duplicate of line 1 in the same organization',
        '3: organization_id: there is no organization with this ID: "keyroster organizations list" shows them',
        '4: expires_at: must lie in the future',
        '5: workspace_id: must be 1 to 128 of A-Z a-z 0-9 _ -, or left out for the whole organization: the default workspace has no ID',
      ],
    );
    const failing = open.writer.createAdminKeys(linesOf([good]), () => {
      throw new Error('no disk');
    });
    await assert.rejects(failing, /no disk/);
    assert.equal((await keysOf(id)).length, 1);
  });
});
