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

  test('says why it waits and until when, and not any more once it goes on', async () => {
    let requests = 0;
    const busyOnce: typeof fetch = async (...request) => {
      requests += 1;
      return requests === 1 ? new Response(null, { status: 429 }) : fetch(...request);
    };
    const walk = new Walk(seeded.client({ fetch: busyOnce }), {}, () => false);
    const states: unknown[] = [];
    walk.subscribe(() => {
      const { state } = walk;
      const waiting = state.kind === 'running' ? (state.waiting?.error.status ?? null) : undefined;
      if (states.at(-1) !== waiting) states.push(waiting);
      if (state.kind === 'running' && state.waiting) assert(state.waiting.until >= performance.now() - 100);
    });
    await walk.run();
    assert.deepEqual(states, [null, 429, null, undefined]);
  });

  test('tells of its progress after a time that is never negative, of which Node would warn', async t => {
    const { setTimeout } = globalThis;
    const delays: number[] = [];
    t.mock.method(globalThis, 'setTimeout', (callback: () => void, ms?: number) => {
      if (new Error().stack?.includes('/walk/walk.ts')) delays.push(ms ?? 0);
      return setTimeout(callback, ms);
    });
    const walk = new Walk(seeded.client(), {}, () => {
      const end = performance.now() + 300;
      while (performance.now() < end); // keeps its page busy, as a count does
    });
    await walk.run();
    assert.equal(walk.state.kind, 'complete');
    assert(delays.length > 0 && delays.every(ms => ms >= 0), `${delays}`);
  });

  test('fails where its own cursor is gone', async () => {
    const walk = new Walk(seeded.client(), { after_id: 'gone' }, () => false);
    await walk.run();
    assert.equal(walk.state.kind, 'failed');
  });
});
