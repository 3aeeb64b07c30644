import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readRequestLog } from '../../../src/service/formats/request-log.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const line = (admin_key_id: unknown, time: string | number, more: object = {}) =>
  JSON.stringify({
    level: 30,
    time: typeof time === 'number' ? time : Date.parse(time),
    admin_key_id,
    status: 200,
    msg: 'request',
    ...more,
  });

async function* chunks(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

test('the latest day of each admin key is read from a log, plain or gzip, in any order', async () => {
  const lines = [
    line('adminkey_a', '2026-11-20T23:59:59.999Z'),
    line('adminkey_b', '2026-11-19T00:00:00Z'),
    line('adminkey_a', '2026-11-21T00:00:00Z', { status: 429 }),
    line('adminkey_a', '2026-11-18T12:00:00Z', { status: 499 }),
  ].join('\n');
  for (const bytes of [Buffer.from(lines), gzipSync(`${lines}\n`)]) {
    const { days, skipped } = await readRequestLog(chunks(bytes), NOW);
    assert.deepEqual(Object.fromEntries(days), { adminkey_a: '2026-11-21', adminkey_b: '2026-11-19' });
    assert.equal(skipped, 0);
  }
});

test('lines that are no request with an admin key are skipped and counted', async () => {
  const lines = [
    '{"level":30,"time":1795220727953,"msg":"listening on http://127.0.0.1:8080"}',
    '{"level":30,"time":1795220727953,"status":401,"msg":"request"}',
    line('adminkey_a', '2026-11-20T00:00:00Z', { msg: 'another program' }),
    line('not an ID', '2026-11-20T00:00:00Z'),
    line(7, '2026-11-20T00:00:00Z'),
    line('adminkey_a', '2026-11-24T00:00:00Z'), // in the future
    line('adminkey_a', -1),
    line('adminkey_a', '2026-11-20T00:00:00Z', { time: '2026-11-20' }),
    'null "admin_key_id"',
    '"admin_key_id"',
    '{"admin_key_id":',
    'x'.repeat(70_000),
    '',
  ];
  const { days, skipped } = await readRequestLog(chunks(Buffer.from(`${lines.join('\n')}\n`)), NOW);
  assert.deepEqual([...days], []);
  assert.equal(skipped, lines.length);
});
