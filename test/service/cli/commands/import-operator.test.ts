import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { CSV_COLUMNS, csvHeader, renderCsvRow } from '../../../../src/shared/formats/render-csv.ts';
import type { ApiKeyRecord } from '../../../../src/shared/record/api-key-record.ts';
import { type EmbeddedStore, embeddedStore } from '../../../support/embedded-store.ts';
import { jsonLines, record, withoutImportId } from '../../../support/import-file.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';

const CSV_HEADER = csvHeader(CSV_COLUMNS);

const records = [record('k2', { name: 'Łódź, "7"\r\n🗝', workspace_id: null }), record('k1')];
const csv = (all: readonly unknown[]) =>
  CSV_HEADER + all.map(each => renderCsvRow(each as ApiKeyRecord)).join('');
const COUNTS = 'inserted 2, updated 0, unchanged 0, refused 0\n';

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
  ['CSV, by the file name', 'keys.csv', csv(records)],
  [
    'CSV with a byte-order mark, CR and LF',
    'keys.CSV',
    `\uFEFF${csv(records).replaceAll(/(?<!\r)\n/g, '\r\n')}`,
  ],
  ['gzip of CSV, by the file name', 'keys.csv.gz', gzipSync(csv(records))],
  ['gzip in a file without an extension', 'keys', gzipSync(jsonLines(records))],
  ['CSV in a file named .jsonl, with --format csv', 'keys.jsonl', csv(records), '--format', 'csv'],
  ['JSON Lines on standard input', '-', jsonLines(records)],
  ['gzip of CSV on standard input', '-', gzipSync(csv(records)), '--format', 'csv'],
];
for (const [what, name, content, ...args] of sources)
  test(`import reads ${what}`, async t => {
    const store = await embeddedStore(t);
    const { exitCode, stdout, stderr } = await importFile(store, name, content, ...args);
    assert.deepEqual([exitCode, withoutImportId(stdout), stderr], [0, COUNTS, '']);
    assert.deepEqual(await store.records(), records);
  });

test('a dry run prints the counts of an import and changes nothing', async t => {
  const store = await embeddedStore(t);
  await importFile(store, 'keys.jsonl', jsonLines([record('k1', { name: 'Before' }), record('k0')]));
  const before = await store.records();
  const lines = jsonLines([...records, record('k0')]);
  const dry = await importFile(store, 'keys.jsonl', lines, '--dry-run');
  assert.match(dry.stdout, /^dry run[^\n]*inserted 1, updated 1, unchanged 1, refused 0\n$/);
  const json = await importFile(store, 'keys.jsonl', lines, '--dry-run', '--json');
  const counts = { inserted: 1, updated: 1, unchanged: 1, refused: 0 };
  assert.deepEqual(JSON.parse(json.stdout), { import_id: null, ...counts });
  const refused = await importFile(store, 'keys.jsonl', `${lines}{\n`, '--dry-run');
  assert.deepEqual([refused.exitCode, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^line 4: not JSON\n/);
  assert.deepEqual(await store.records(), before);
});

test('with --rejects the valid lines are imported and each refused line is written with its reasons', async t => {
  const store = await embeddedStore(t);
  const bad = JSON.stringify(record('k3', { status: 'gone', name: 7 }));
  const again = record('k1', { name: 'Again' });
  const rejects = join(store.folder, 'rejects.jsonl');
  const long = `{"id":"${'x'.repeat(100_000)}`;
  const lines = `${jsonLines(records)}${bad}\n{"half\n${jsonLines([again])}${long}\n`;
  const finished = await importFile(store, 'keys.jsonl', lines, '--rejects', rejects);
  assert.deepEqual(
    [finished.exitCode, withoutImportId(finished.stdout)],
    [4, 'inserted 2, updated 0, unchanged 0, refused 4\n'],
  );
  const written = readFileSync(rejects, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    written.map(line => JSON.parse(line)),
    [
      {
        line: 3,
        problems: [
          'name: must be text of at most 1000 characters, without NUL or broken surrogates',
          'status: must be one of active, inactive, archived',
        ],
        source: bad,
      },
      { line: 4, problems: ['not JSON'], source: '{"half' },
      { line: 5, problems: ['id: duplicate of line 2'], source: JSON.stringify(again) },
      { line: 6, problems: ['longer than 65536 bytes'], source: long.slice(0, 65_537) },
    ],
  );
  assert.equal(statSync(rejects).mode & 0o777, 0o600);
  assert.equal(existsSync(`${rejects}.sorted`), false);
  assert.deepEqual(await store.records(), records);
});

test('--rejects never overwrites a file', async t => {
  const store = await embeddedStore(t);
  const rejects = join(store.folder, 'keys.jsonl');
  const finished = await importFile(store, 'keys.jsonl', jsonLines(records), '--rejects', rejects);
  assertFailed(finished, 1, /rejects: .*already exists: give another name/);
  assert.equal(readFileSync(rejects, 'utf8'), jsonLines(records));
  const missing = await importFile(store, 'keys.jsonl', '', '--rejects', join(store.folder, 'no', 'where'));
  assertFailed(missing, 1, /rejects: can't write .*ENOENT/);
  assert.deepEqual(await store.records(), []);
});

test('a dry run leaves no rejects file, so that the import after it can write it', async t => {
  const store = await embeddedStore(t);
  const rejects = join(store.folder, 'rejects.jsonl');
  const lines = `${jsonLines(records)}{"half\n`;
  const dry = await importFile(store, 'keys.jsonl', lines, '--rejects', rejects, '--dry-run');
  assert.deepEqual([dry.exitCode, existsSync(rejects)], [4, false]);
  assert.equal(dry.stderr, 'line 3: not JSON\n');
  const real = await importFile(store, 'keys.jsonl', lines, '--rejects', rejects);
  assert.deepEqual([real.exitCode, existsSync(rejects)], [4, true]);
});
