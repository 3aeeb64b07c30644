import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { CSV_COLUMNS, csvHeader, renderCsvRow } from '../../../src/shared/formats/render-csv.ts';
import type { ApiKeyRecord } from '../../../src/shared/record/api-key-record.ts';
import { type EmbeddedStore, embeddedStore } from '../../support/embedded-store.ts';
import {
  fromJsonLines,
  importContent,
  jsonLines,
  record,
  withoutImportId,
} from '../../support/import-file.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';

const records = [record('k2', { name: 'Łódź, "7"\r\n🗝', workspace_id: null }), record('k1')];
const csv = csvHeader(CSV_COLUMNS) + records.map(each => renderCsvRow(each as ApiKeyRecord)).join('');

function importFile(
  { folder, env, organization }: EmbeddedStore,
  name: string,
  content: string | Uint8Array,
  ...args: string[]
) {
  if (name !== '-') writeFileSync(join(folder, name), content);
  const file = name === '-' ? '-' : join(folder, name);
  return runCommand(['import', file, '--organization', organization, ...args], { env, input: content });
}

const sources: [what: string, name: string, content: string | Uint8Array, ...args: string[]][] = [
  [
    'CSV with a byte-order mark, CR and LF, by the file name',
    'keys.CSV',
    `\uFEFF${csv.replaceAll(/(?<!\r)\n/g, '\r\n')}`,
  ],
  ['gzip of CSV, by the file name', 'keys.csv.gz', gzipSync(csv)],
  ['gzip in a file without an extension', 'keys', gzipSync(jsonLines(records))],
  ['CSV in a file named .jsonl, with --format csv', 'keys.jsonl', csv, '--format', 'csv'],
  ['JSON Lines on standard input', '-', jsonLines(records)],
  ['gzip of CSV on standard input', '-', gzipSync(csv), '--format', 'csv'],
];
test('import reads JSON Lines and CSV, plain or in gzip, from a file or standard input', async t => {
  for (const [what, name, content, ...args] of sources) {
    const store = await embeddedStore(t);
    const { exitCode, stdout, stderr } = await importFile(store, name, content, ...args);
    const counts = 'inserted 2, updated 0, unchanged 0, refused 0\n';
    assert.deepEqual([exitCode, withoutImportId(stdout), stderr], [0, counts, ''], what);
    assert.deepEqual(await store.records(), records, what);
  }
});

test('a dry run prints the counts of an import and changes nothing, which the import then does', async t => {
  const store = await embeddedStore(t);
  await importContent(store, jsonLines([record('k1', { name: 'Before' }), record('k0')]));
  const before = await store.records();
  const lines = jsonLines([...records, record('k0')]);
  const counts = { inserted: 1, updated: 1, unchanged: 1, refused: 0 };
  const dry = await importContent(store, lines, '--dry-run');
  assert.match(dry.stdout, /^dry run[^\n]*inserted 1, updated 1, unchanged 1, refused 0\n$/);
  const json = await importContent(store, lines, '--dry-run', '--json');
  assert.deepEqual(JSON.parse(json.stdout), { import_id: null, ...counts });
  const rejects = join(store.folder, 'rejects.jsonl');
  const refused = await importContent(store, `${lines}{\n`, '--dry-run', '--rejects', rejects);
  assert.deepEqual([refused.exitCode, existsSync(rejects)], [4, false]);
  assert.equal(refused.stderr, 'line 4: not JSON\n');
  assert.deepEqual(await store.records(), before);
  const { import_id, ...done } = JSON.parse((await importContent(store, lines, '--json')).stdout);
  assert.match(import_id, /^import_/);
  assert.deepEqual(done, counts);
});

test('with --rejects the valid lines are imported and each refused line is written with its reasons to a new file', async t => {
  const store = await embeddedStore(t);
  const bad = JSON.stringify(record('k3', { status: 'gone', name: 7 }));
  const again = record('k1', { name: 'Again' });
  const rejects = join(store.folder, 'rejects.jsonl');
  const long = `{"id":"${'x'.repeat(100_000)}`;
  const lines = `${jsonLines(records)}${bad}\n{"half\n${jsonLines([again])}${long}\n`;
  const finished = await importContent(store, lines, '--rejects', rejects);
  assert.deepEqual(
    [finished.exitCode, withoutImportId(finished.stdout)],
    [4, 'inserted 2, updated 0, unchanged 0, refused 4\n'],
  );
  const written = readFileSync(rejects, 'utf8');
  assert.deepEqual(fromJsonLines(written), [
    {
      line: 3,
      problems: [
        'name: must be text of at most 1000 characters, without NUL or broken surrogates',
        'status: must be one of active, inactive, archived',
      ],
      source: bad,
    },
    { line: 4, problems: ['not JSON'], source: '{"half' },
    { line: 6, problems: ['longer than 65536 bytes'], source: long.slice(0, 65_537) },
    { line: 5, problems: ['id: duplicate of line 2'], source: JSON.stringify(again) },
  ]);
  assert.equal(statSync(rejects).mode & 0o777, 0o600);
  assert.deepEqual(await store.records(), records);

  const overwriting = await importContent(store, lines, '--rejects', rejects);
  assertFailed(overwriting, 1, /rejects: .*already exists: give another name/);
  assert.equal(readFileSync(rejects, 'utf8'), written);
  const missing = await importContent(store, '', '--rejects', join(store.folder, 'no', 'where'));
  assertFailed(missing, 1, /rejects: can't write .*ENOENT/);
});
