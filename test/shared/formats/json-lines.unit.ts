import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJsonLines } from '../../../src/operator/import/read-json-lines.ts';
import { renderApiKey } from '../../../src/service/roster/api-key.ts';
import { chunksOf, linesOf, OF_ONE, refusalsIn } from '../../support/chunks.ts';
import { jsonLines, record } from '../../support/import-file.ts';

const read = (content: string | Uint8Array, size?: number) =>
  linesOf(readJsonLines(chunksOf(content, size), OF_ONE));
const recordsIn = async (content: string | Uint8Array, size?: number) =>
  (await read(content, size)).map(line => ('key' in line ? JSON.parse(renderApiKey(line.key)) : line));

test('a refused line is reported with its number and exact text, and does not affect the others', async () => {
  const bad = ['{"id": "k1" }', '  [1]', '{"name":"Łódź 🗝 \u2028"', '{"id":"k","x":"\\u0041"}'];
  const content = `${jsonLines([record('k0')])}${bad.join('\n')}\n\n${jsonLines([record('k2')])}`;
  for (const size of [1, 5, Infinity]) {
    const lines = await read(content, size);
    assert.deepEqual(
      refusalsIn(lines).map(([line, , source]) => [line, source]),
      bad.map((source, index) => [index + 2, source]),
    );
    assert.deepEqual([lines.length, lines.at(-1)?.line], [6, 7]);
  }
});

test('a line that is not UTF-8 or too long is refused with its number', async () => {
  const content = Buffer.concat([
    Buffer.from([0xc3, 0x28, 0x0a]),
    Buffer.from(`${'x'.repeat(100_000)}\n`),
    Buffer.from(jsonLines([record('k1')])),
  ]);
  for (const size of [1021, 4096, Infinity])
    assert.deepEqual(
      refusalsIn(await read(content, size)).map(([line, problem]) => [line, problem]),
      [
        [1, 'not UTF-8'],
        [2, 'longer than 65536 bytes'],
      ],
    );
});

test('records are read alike however the bytes are split into chunks', async () => {
  const records = [record('k1', { name: '🗝 Łódź\n\r"' }), record('k2', { workspace_id: null })];
  const text = jsonLines(records);
  for (const form of [text, `\uFEFF${text}`, text.replaceAll('\n', '\r\n'), text.trimEnd()])
    for (const size of [1, 2, 3, Infinity]) assert.deepEqual(await recordsIn(form, size), records);
});

test('a batch is returned without waiting for more of the source', async () => {
  const reader = readJsonLines(
    (async function* () {
      yield Buffer.from(jsonLines([record('k1')]));
      assert.fail('read more of the source');
    })(),
    OF_ONE,
  );
  assert.equal((await reader.next()).value?.length, 1);
});
