import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EmbeddedStore, embeddedStore } from '../../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../../support/import-file.ts';

const MAX_LINE_BYTES = 64 * 1024;
const line = (id: string, parts = {}) => JSON.stringify(record(id, parts));
const padded = (id: string, bytes: number) => line(id) + ' '.repeat(bytes - line(id).length);

async function assertImported(store: EmbeddedStore, content: string | Uint8Array, records: unknown[]) {
  const { exitCode, stderr } = await importContent(store, content);
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.deepEqual((await store.records()).reverse(), records);
}

async function assertRefused(store: EmbeddedStore, content: string | Uint8Array, faults: string[]) {
  const { exitCode, stdout, stderr } = await importContent(store, content);
  assert.deepEqual([exitCode, stdout], [1, '']);
  const last = `keyroster: ${faults.length} line(s) refused: nothing was imported`;
  assert.deepEqual(stderr.split('\n'), [...faults, last, '']);
  assert.deepEqual(await store.records(), []);
}

for (const [what, content] of [
  ['lines that end in CR and LF', `${line('k1')}\r\n${line('k2')}\r\n`],
  ['lines after a byte-order mark', `\uFEFF${line('k1')}\n${line('k2')}\n`],
  ['lines after a byte-order mark, with CR and LF', `\uFEFF${line('k1')}\r\n${line('k2')}\r\n`],
  ['lines between empty lines', `\n\n${line('k1')}\n\r\n \t\n${line('k2')}\n\n`],
  ['a last line without a newline', `${line('k1')}\n${line('k2')}`],
] as const) {
  test(`import reads ${what}`, async t => {
    await assertImported(await embeddedStore(t), content, [record('k1'), record('k2')]);
  });
}

test('a file without records imports nothing', async t => {
  const store = await embeddedStore(t);
  for (const content of ['', '\n', '\uFEFF', '\r\n']) await assertImported(store, content, []);
});

test('a name may contain U+2028 and other characters that some programs take for line ends', async t => {
  const odd = record('k1', { name: 'a\u2028b\u2029c\u0085d\ve' });
  await assertImported(await embeddedStore(t), `${JSON.stringify(odd)}\n${line('k2')}\n`, [
    odd,
    record('k2'),
  ]);
});

test('a line of 64 KiB is read and a longer one is refused, anywhere in the file', async t => {
  const store = await embeddedStore(t);
  const long = (id: string) => padded(id, MAX_LINE_BYTES + 1);
  const huge = padded('k3', 5 * MAX_LINE_BYTES);
  await assertRefused(store, [long('k1'), line('k2'), huge, line('k4'), long('k5')].join('\n'), [
    `line 1: longer than ${MAX_LINE_BYTES} bytes`,
    `line 3: longer than ${MAX_LINE_BYTES} bytes`,
    `line 5: longer than ${MAX_LINE_BYTES} bytes`,
  ]);
  const longest = [padded('k1', MAX_LINE_BYTES), line('k2'), padded('k3', MAX_LINE_BYTES)].join('\n');
  await assertImported(
    store,
    longest,
    ['k1', 'k2', 'k3'].map(id => record(id)),
  );
});

test('bytes that are not UTF-8 are refused with their line number', async t => {
  const latin1 = Buffer.concat([
    Buffer.from(`${line('k1')}\n`),
    Buffer.from(`${line('k2', { name: 'é' })}\n`, 'latin1'),
    Buffer.from(line('k3')).subarray(0, -30),
    Buffer.from([0xf0, 0x9f]),
  ]);
  await assertRefused(await embeddedStore(t), latin1, ['line 2: not UTF-8', 'line 3: not UTF-8']);
});

test('lines that are not a JSON object are refused, and empty lines count in the line numbers', async t => {
  const lines = [
    '',
    line('k1').slice(0, -1),
    '',
    'null',
    '[]',
    '"k"',
    `${line('k2')}${line('k3')}`,
    "{'id': 1}",
  ];
  await assertRefused(await embeddedStore(t), `${lines.join('\n')}\n`, [
    'line 2: not JSON',
    'line 4: must be an object',
    'line 5: must be an object',
    'line 6: must be an object',
    'line 7: not JSON',
    'line 8: not JSON',
  ]);
});

test('a file of many chunks is read completely', async t => {
  const store = await embeddedStore(t);
  const records = Array.from({ length: 1000 }, (_, number) =>
    record(`k${String(number).padStart(4, '0')}`, { name: '🗝'.repeat(number % 97) }),
  );
  await assertImported(store, jsonLines(records), records);
});
