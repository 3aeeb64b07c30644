import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgres, sqlite } from '../support/stores.ts';
import { upgradeUnderLoad } from '../support/upgrade-under-load.ts';

for (const kind of [sqlite, postgres])
  test(`an upgrade to the next release fails no request, loses no write, and keeps walks exact, over ${kind.name}`, async t => {
    const { failures, answered, walks, written, migrated } = await upgradeUnderLoad(t, kind, {
      keys: 10_000,
      requests: 2_000,
    });
    assert.deepEqual(failures.slice(0, 5), []);
    assert.deepEqual([migrated.stdout, migrated.stderr], ['applied 2 migration(s)\n', '']);
    assert.ok(answered >= 2_000 && walks > 0 && written > 0);
  });
