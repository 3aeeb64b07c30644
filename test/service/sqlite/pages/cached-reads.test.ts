import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadCache } from '../../../../src/service/sqlite/pages/cached-reads.ts';
import { openReader, openWriter } from '../../../../src/service/sqlite/store.ts';
import type { ApiKeyId } from '../../../../src/shared/record/identifier.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../../support/import-file.ts';
import { TEST_ACTOR } from '../../../support/store-at.ts';

test('a reader returns the same page object, from the second read on until something is written, and sees each change at once', async t => {
  const store = await embeddedStore(t);
  await importContent(store, jsonLines([record('a'), record('b')]));
  const writer = openWriter(store.file, TEST_ACTOR);
  const reader = openReader(store.file);
  t.after(() => Promise.all([writer.close(), reader.close()]));
  const list = async () => {
    const page = await reader.listApiKeys(store.organization, { limit: 20, cursor: null, filter: {} });
    return { page, statuses: page?.items.map(item => JSON.parse(item.record).status) };
  };
  for (const status of ['inactive', 'active', 'inactive', 'archived'] as const) {
    await writer.setStatus(store.organization, ['a', 'b'] as ApiKeyId[], status);
    const reads = [await list(), await list(), await list()];
    for (const { statuses } of reads) assert.deepEqual(statuses, [status, status]);
    assert.equal(reads[2]?.page, reads[1]?.page);
  }
});

const VALUE_BYTES = 'value of q'.length;

/** A cache of so many texts that counts a character as a byte. `reads` has the keys that weren't answered from the cache. */
function textCache(values: number) {
  const reads: string[] = [];
  const cache = new ReadCache<string>(values * VALUE_BYTES, text => text.length);
  const get = (key: string) =>
    cache.get(key, () => {
      reads.push(key);
      return `value of ${key}`;
    });
  return { reads, get };
}

test('a cache over its size evicts the least recently used value', () => {
  const { get, reads } = textCache(33);
  for (let number = 0; number < 40; number++) {
    const key = String.fromCharCode(97 + number);
    for (const each of [key, key, 'a']) assert.equal(get(each), `value of ${each}`);
  }
  reads.length = 0;
  for (const key of ['a', 'b']) get(key);
  assert.deepEqual(reads, ['b']);
});

test('a value that is large compared with the cache is not cached', () => {
  const { get, reads } = textCache(20);
  for (let times = 0; times < 3; times++) get('q');
  assert.equal(reads.length, 3);
});

test('values that are read only once evict nothing', () => {
  const { get, reads } = textCache(100);
  for (let times = 0; times < 2; times++) get('cached');
  for (let number = 0; number < 5_000; number++) get(String(number));
  reads.length = 0;
  get('cached');
  assert.deepEqual(reads, []);
});
