import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortLine } from '../../../src/cli/serve/short-line.ts';

test('a log line of up to so many bytes stays as it is', () => {
  assert.equal(shortLine('{"msg":"é"}\n', 13), '{"msg":"é"}\n');
});

test('a longer one is still a JSON object of one line with all of its fields, and its long texts are cut', () => {
  const stack = 'at somewhere é\n'.repeat(1_000);
  const line = {
    level: 50,
    request_id: 'req_1',
    err: { message: 'short', stack, aggregateErrors: [{ stack }] },
  };
  const short = shortLine(`${JSON.stringify(line)}\n`, 4096);
  assert.ok(Buffer.byteLength(short) <= 4096);
  assert.match(short, /^[^\n]+\n$/);
  const read = JSON.parse(short);
  assert.deepEqual([read.level, read.request_id, read.err.message], [50, 'req_1', 'short']);
  assert.ok(read.err.stack.startsWith('at somewhere') && read.err.stack.endsWith('…'));
});
