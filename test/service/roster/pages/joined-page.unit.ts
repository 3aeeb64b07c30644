import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf } from '../../../../src/service/roster/pages/joined-page.ts';

const records = ['{"id":"c"}', '{"id":"b","name":"ü"}', '{"id":"a"}'];

function joined() {
  const { buffer } = new TextEncoder().encode(records.join());
  return { memory: buffer, bytes: Buffer.from(buffer) };
}

test('a page before a cursor is turned round in memory of its own, which is given back with it; that of its store at once', () => {
  const { memory, bytes } = joined();
  const page = pageOf(3, bytes, 2, true, memory);
  assert.equal(String(page.records), `${records[1]},${records[0]}`);
  assert.deepEqual([page.hasMore, page.firstId, page.lastId], [true, 'b', 'c']);
  assert.equal(memory.detached, true);
  assert.equal(page.memory?.byteLength, page.records.length);
});

test('a page after a cursor has the memory of its store', () => {
  const { memory, bytes } = joined();
  const page = pageOf(3, bytes, 3, false, memory);
  assert.equal(String(page.records), records.join());
  assert.equal(page.memory, memory);
  assert.equal(memory.detached, false);
});
