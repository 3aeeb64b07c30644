import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { Walk } from '../../../src/console/walk/walk.ts';
import { suiteScope } from '../../support/scope.ts';
import { idsOf, numberedKeys, startSeededService } from '../../support/seeded-service.ts';

const seeded = await startSeededService(suiteScope(), numberedKeys(3_500));

/** What happens to the next request. */
const event = fc.constantFrom('answer', 'answer', 'lost', 'busy', 'stop');

describe('a walk', () => {
  for (const direction of ['older', 'newer'] as const)
    test(`to ${direction} keys takes each key once and in order, however often it fails or is stopped, and goes on`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(event, { maxLength: 12 }), async events => {
          const left = [...events];
          const fetchWithFaults: typeof fetch = async (...request) => {
            const next = left.shift();
            if (next === 'lost') throw new TypeError('fetch failed');
            if (next === 'busy') return new Response(null, { status: 503 });
            if (next === 'stop') walk.stop();
            return fetch(...request);
          };
          const taken: ApiKeyRecord[] = [];
          const walk = new Walk(
            seeded.client({ retries: 0, fetch: fetchWithFaults }),
            direction === 'newer' ? { before_id: 'k3499' } : {},
            page => {
              if (direction === 'older') taken.push(...page);
              else taken.unshift(...page);
              return false;
            },
          );
          for (let runs = 0; walk.state.kind !== 'complete'; runs++) {
            assert(runs <= events.length);
            await walk.run();
          }
          const expected = direction === 'newer' ? seeded.ids.slice(0, -1) : seeded.ids;
          assert.deepEqual(idsOf(taken), expected);
          assert.equal(walk.read, expected.length);
        }),
        { numRuns: 10 },
      );
    });

  test('is complete when who takes the keys says so', async () => {
    const walk = new Walk(seeded.client(), {}, () => true);
    await walk.run();
    assert.deepEqual([walk.state.kind, walk.read], ['complete', 1_000]);
    await walk.run();
    assert.equal(walk.read, 1_000);
  });

  test('fails where its own cursor is gone', async () => {
    const walk = new Walk(seeded.client(), { after_id: 'gone' }, () => false);
    await walk.run();
    assert.equal(walk.state.kind, 'failed');
  });
});
