import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { CSV_COLUMNS, csvHeader, renderCsvRow } from '../../../src/shared/formats/render-csv.ts';
import type { ApiKeyRecord } from '../../../src/shared/record/api-key-record.ts';
import { endOf } from '../../support/child.ts';
import { BINS, spawnOptions } from '../../support/command-line.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../support/import-file.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';

const key = `sk-ven-api03-R2D${'x'.repeat(60)}igAA`; // what the hint of `record` masks

test('import reports each fault by line and field, and imports nothing', async t => {
  const store = await embeddedStore(t);
  const wrong = [
    { id: 'a b', status: 'gone' },
    { workspace_id: undefined },
    { key: 'x' },
    { name: `pasted ${key} here` },
  ];
  const lines = wrong.map((parts, index) => record(`k${index}`, parts));
  const imported = await importContent(store, jsonLines([record('right'), ...lines]).trimEnd());
  const id = 'must be 1 to 255 of A-Z a-z 0-9 _ - . : | / @ ~, and not the word null or undefined';
  const stderr = `line 2: id: ${id}
line 2: status: must be one of active, inactive, archived
line 3: workspace_id: is missing: must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key, or null for the default workspace
line 4: key: unknown field
line 5: name: contains the key that partial_key_hint masks
keyroster: 4 line(s) refused: nothing was imported; "keyroster fields add" declares a field of your own
`;
  assert.deepEqual(imported, { exitCode: 1, stdout: '', stderr });
  const many = await importContent(store, jsonLines(Array(25).fill({ ...record('k'), status: 'gone' })));
  assert.match(
    many.stderr,
    /^(line .*\n){20}keyroster: 25 line\(s\) refused \(the first 20 are shown\): nothing was imported\n$/,
  );
  assert.deepEqual(await store.records(), []);
});

const CSV_HEADER = csvHeader(CSV_COLUMNS);
const rows = (count: number) =>
  Array.from({ length: count }, (_, number) => renderCsvRow(record(`k${number}`) as ApiKeyRecord)).join('');

/** One fault of each layer: `read-csv-refusals.unit.ts` and `text.unit.ts` have all. */
const files: [content: string | Uint8Array, message: RegExp][] = [
  [`${CSV_HEADER.trim()},x\n${rows(1)}`, /line 1: unknown column x/],
  [Buffer.from(`${CSV_HEADER}k,\xe9,`, 'latin1'), /the file is not UTF-8/],
  [gzipSync(CSV_HEADER + rows(3_000)).subarray(0, -20), /gzip: /],
];
test('a file that is refused as a whole, or can not be read, is told in one line, and leaves no rejects file', async t => {
  const store = await embeddedStore(t);
  const { env, folder, organization } = store;
  const rejects = join(folder, 'rejects.jsonl');
  for (const [content, message] of files)
    for (const args of [[], ['--rejects', rejects]])
      assertFailed(await importContent(store, content, '--format', 'csv', ...args), 1, message);
  const unknown = { ...store, organization: 'org_unknown' as typeof organization };
  const inUnknown = await importContent(unknown, jsonLines([record('k1')]), '--rejects', rejects);
  assertFailed(inUnknown, 1, /there is no organization\b.*: "keyroster organizations list" shows them/);
  assert.equal(existsSync(rejects), false);
  const from = (file: string, ...args: string[]) =>
    runCommand(['import', file, '--organization', organization, ...args], { env });
  assertFailed(await from(join(folder, 'missing.jsonl')), 1, /can't read .*missing\.jsonl: ENOENT/);
  assertFailed(await from(folder), 1, /is a folder: give a file/);
  assertFailed(await from('-', '--format', 'xml'), 2, /xml.*jsonl, csv/);
  assert.deepEqual(await store.records(), []);
});

test('a refused import ends at once, even while standard input stays open', async t => {
  const { env, organization } = await embeddedStore(t);
  const args = [BINS.keyroster, 'import', '-', '--format', 'csv', '--organization', organization];
  const child = spawn(process.execPath, args, { ...spawnOptions({ env }), timeout: 30_000 });
  const ended = endOf(t, child);
  child.stdin.on('error', () => {});
  child.stdin.write(`no,header\n${rows(2_000)}`); // several chunks, and the input never ends
  assert.equal(await ended, 1, 'killed: it waited for the end of its input');
});
