import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadCache } from '../../../src/sqlite/serving/cached-reads.ts';

/** A cache of texts, each of as many bytes as characters; `reads` has the keys that were read. */
function textCache(maxBytes: number) {
  const reads: string[] = [];
  const cache = new ReadCache<string>(maxBytes, text => text.length);
  const get = (key: string) =>
    cache.get(key, () => {
      reads.push(key);
      return `value of ${key}`;
    });
  return { cache, reads, get };
}

const VALUE_BYTES = 'value of q'.length;

test('a value is read twice, and then comes from the cache', () => {
  const { get, reads } = textCache(1_000);
  for (let times = 0; times < 5; times++) assert.equal(get('q'), 'value of q');
  assert.deepEqual(reads, ['q', 'q']);
});

test('a cleared cache reads again', () => {
  const { cache, get, reads } = textCache(1_000);
  for (let times = 0; times < 3; times++) get('q');
  cache.clear();
  get('q');
  assert.equal(reads.length, 3);
});

test('over its bytes, the least recently used value is evicted', () => {
  const { get, reads } = textCache(33 * VALUE_BYTES);
  for (let number = 0; number < 40; number++) {
    const key = String.fromCharCode(97 + number);
    get(key);
    get(key);
    get('a');
  }
  reads.length = 0;
  get('a');
  assert.deepEqual(reads, [], 'a was used again and again');
  get('b');
  assert.deepEqual(reads, ['b'], 'b was not');
});

test('a value that is large beside all the bytes is not cached', () => {
  const { get, reads } = textCache(20 * VALUE_BYTES);
  for (let times = 0; times < 3; times++) get('q');
  assert.equal(reads.length, 3);
});

test('values that are read once evict nothing', () => {
  const { get, reads } = textCache(100 * VALUE_BYTES);
  for (let times = 0; times < 2; times++) get('cached');
  for (let number = 0; number < 5_000; number++) get(String(number));
  reads.length = 0;
  get('cached');
  assert.deepEqual(reads, []);
});
