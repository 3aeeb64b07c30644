import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { walkByCreation } from '../../src/roster/walk-by-creation.ts';
import { walkRoster } from '../../src/roster/walk-roster.ts';
import { firstKeys } from '../support/changing-roster.ts';
import { keyroster } from '../support/command-line.ts';
import { describeEachStore } from '../support/each-store.ts';
import { ALL, createOrganization, importKeys } from '../support/roster.ts';

const EXPORTS = 3;
const keys = (name: string) => firstKeys(1_000).map(key => ({ ...key, name, status: 'active' as const }));

describeEachStore('a snapshot', open => {
  test('has everything as it was at one moment, whatever is committed while it is read', async () => {
    const { id } = await createOrganization(open.writer);
    await importKeys(open.writer, id, keys('before'));
    const adminKeys = await open.writer.listAdminKeys(id, ...ALL);
    const created: OrganizationId[] = [];
    const names = await open.writer.readSnapshot(async snapshot => {
      const found: string[] = [];
      for await (const items of walkRoster(snapshot, id)) {
        found.push(...items.map(({ record }) => JSON.parse(record).name));
        await importKeys(open.writer, id, keys(`after ${found.length}`));
        created.push((await createOrganization(open.writer)).id);
      }
      for await (const page of walkByCreation((...args) => snapshot.listOrganizations(...args)))
        for (const organization of page) assert.ok(!created.includes(organization.id));
      await assert.rejects(snapshot.findOrganization(created[0] as OrganizationId), /no organization/);
      assert.deepEqual(await snapshot.listAdminKeys(id, ...ALL), adminKeys);
      return found;
    });
    assert.deepEqual([names.length, new Set(names)], [1_000, new Set(['before'])]);
    assert.ok(created.length > 1);
  });

  test('is what an export writes, while imports are committed', async () => {
    const env = { KEYROSTER_DATABASE_URL: open.store.url };
    const { id } = await createOrganization(open.writer);
    await importKeys(open.writer, id, keys('0'));
    let ended = false;
    let commits = 0;
    const importing = (async () => {
      while (!ended) {
        commits += 1;
        await importKeys(open.writer, id, keys(String(commits)));
        await setTimeout(20); // else the embedded store, which waits for nothing, would never let the export's end be seen
      }
    })();
    try {
      for (let number = 0; number < EXPORTS; number++) {
        const args = number === 0 ? ['--organization', id] : ['--all-organizations'];
        let stdout = '';
        for (const before = commits; commits === before; ) {
          const finished = await keyroster(['export', ...args], { env });
          assert.equal(finished.exitCode, 0);
          stdout = finished.stdout;
        }
        const records = stdout
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line));
        const ours = records.filter(({ organization_id }) => [id, undefined].includes(organization_id));
        assert.deepEqual([ours.length, new Set(ours.map(({ name }) => name)).size], [1_000, 1]);
      }
    } finally {
      ended = true;
      await importing;
    }
  });
});
