import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEachStore } from '../../support/each-store.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { storeKinds } from '../../support/stores.ts';

const KEYS = 2500;
const COMBINATIONS = 8;

/** On Citus the tests share one database. */
const kinds = storeKinds.filter(({ name }) => name !== 'Citus');

describeEachStore(
  'check',
  open => {
    test('finds nothing in an empty store', async () => {
      assert.deepEqual(await open.store.check(), {
        findings: [],
        looked: { keys: 0, filters: COMBINATIONS },
        notLookedAt: [],
      });
    });

    test('finds nothing in a store with API keys, of which it looks at all', async () => {
      const { id } = await createOrganization(open.writer);
      await importKeys(open.writer, id, numberedKeys(KEYS));
      const seen: number[] = [];
      const report = await open.store.check({ onProgress: keys => seen.push(keys) });
      assert.deepEqual(report, {
        findings: [],
        looked: { keys: KEYS, filters: COMBINATIONS },
        notLookedAt: [],
      });
      assert.ok(seen.length > 0 && seen.every(keys => keys <= KEYS));
    });

    test('looks at as many API keys as a sample has, or at all where there are fewer', async () => {
      for (const [sample, keys] of [
        [1, 1],
        [100, 100],
        [1_000_000, KEYS],
      ]) {
        const { looked } = await open.store.check({ sample });
        assert.equal(looked.keys, keys);
      }
    });
  },
  kinds,
);
