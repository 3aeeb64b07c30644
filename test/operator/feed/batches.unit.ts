import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchesOf } from '../../../src/operator/feed/batches.ts';

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

async function* chunks(...sizes: number[]) {
  let from = 0;
  for (const size of sizes) {
    yield numbers(size, from);
    from += size;
  }
}

async function all(source: AsyncIterable<readonly number[]>) {
  const batches: (readonly number[])[] = [];
  for await (const batch of batchesOf(source)) batches.push(batch);
  return batches;
}

test('what comes at once is one batch, of 1,000 lines at most', async () => {
  const sizes = async (...given: number[]) => (await all(chunks(...given))).map(({ length }) => length);
  assert.deepEqual(await sizes(), []);
  assert.deepEqual(await sizes(0, 0), []);
  assert.deepEqual(await sizes(3, 0, 4), [7]);
  assert.deepEqual(await sizes(999, 2), [1000, 1]);
  assert.deepEqual(await sizes(3500), [1000, 1000, 1000, 500]);
  assert.deepEqual((await all(chunks(700, 700, 700))).flat(), numbers(2100));
});

test('what was read before the source fails is a batch, and then the failure is thrown', async () => {
  async function* source() {
    yield numbers(1001);
    throw new Error('gone');
  }
  const batches = batchesOf(source());
  assert.equal((await batches.next()).value?.length, 1000);
  assert.equal((await batches.next()).value?.length, 1);
  await assert.rejects(batches.next(), /gone/);
});
