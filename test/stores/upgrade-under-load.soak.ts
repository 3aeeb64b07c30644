/** The same over a million keys, with a hundred thousand requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgres, sqlite } from '../support/stores.ts';
import { upgradeUnderLoad } from '../support/upgrade-under-load.ts';

const KEYS = 1_000_000;
const REQUESTS = 100_000;

for (const kind of [sqlite, postgres])
  test(`an upgrade to the next release under load, with a million keys over ${kind.name}`, async t => {
    const { failures, shed, answered, walks, written, longestMs, migrated } = await upgradeUnderLoad(
      t,
      kind,
      {
        keys: KEYS,
        requests: REQUESTS,
      },
    );
    t.diagnostic(
      `${kind.name}: ${answered} requests, ${failures.length + shed} failed, ${walks} walks, ${written} keys written, migrate took ${migrated.seconds.toFixed(1)} s, the slowest page ${Math.round(longestMs.page)} ms, the slowest write ${Math.round(longestMs.write)} ms`,
    );
    assert.deepEqual([shed, failures.slice(0, 5)], [0, []]);
    assert.equal(migrated.stderr, '');
  });
