import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadCache } from '../../../../src/service/sqlite/serving/cached-reads.ts';

/** A cache of texts that counts a character as a byte. `reads` records the keys that weren't answered from the cache. */
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

test('a value is cached on its second read', () => {
  const { get, reads } = textCache(1_000);
  for (let times = 0; times < 5; times++) assert.equal(get('q'), 'value of q');
  assert.deepEqual(reads, ['q', 'q']);
});

test('a cache over its size evicts the least recently used value', () => {
  const { get, reads } = textCache(33 * VALUE_BYTES);
  for (let number = 0; number < 40; number++) {
    const key = String.fromCharCode(97 + number);
    get(key);
    get(key);
    get('a');
  }
  reads.length = 0;
  get('a');
  assert.deepEqual(reads, [], 'a is still cached');
  get('b');
  assert.deepEqual(reads, ['b'], 'b was evicted');
});

test('a value that is large compared with the cache is not cached', () => {
  const { get, reads } = textCache(20 * VALUE_BYTES);
  for (let times = 0; times < 3; times++) get('q');
  assert.equal(reads.length, 3);
});

test('values that are read only once evict nothing', () => {
  const { get, reads } = textCache(100 * VALUE_BYTES);
  for (let times = 0; times < 2; times++) get('cached');
  for (let number = 0; number < 5_000; number++) get(String(number));
  reads.length = 0;
  get('cached');
  assert.deepEqual(reads, []);
});
