import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionOf } from '../../../src/admin/find/question.ts';
import { Finder } from '../../../src/console/find/finder.ts';
import { SeenIds } from '../../../src/console/walk/seen-ids.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys, startSeededService } from '../../support/seeded-service.ts';
import { until } from '../../support/until.ts';

const seeded = await startSeededService(suiteScope(), numberedKeys(120));

test('a finder says why it can not begin, and begins once the newest keys are there', async () => {
  let samples = 0;
  const failingOnce: typeof fetch = async (input, init) => {
    if (!String(input).endsWith('limit=100')) return fetch(input, init);
    samples += 1;
    if (samples === 1) throw new TypeError('fetch failed');
    return fetch(input, init);
  };
  const client = seeded.client({ retries: 0, fetch: failingOnce });
  const finder = new Finder({ client, retryingClient: client, seenIds: new SeenIds(), leaked: new Set() });
  await finder.learn();
  assert.deepEqual([finder.known, (finder.failure as Error).name], [null, 'KeyrosterError']);
  await finder.learn();
  const question = finder.known && questionOf('Key', finder.known);
  assert(question);
  finder.ask(question);
  await until('the search ends', () => finder.current?.walk.state.kind === 'complete');
  assert.deepEqual([finder.failure, samples], [null, 2]);
});
