/** Files that are refused as a whole: one clear line, and no line is imported, valid or not. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { CSV_COLUMNS, csvHeader, renderCsvRow } from '../../../../src/shared/formats/render-csv.ts';
import type { ApiKeyRecord } from '../../../../src/shared/record/api-key-record.ts';
import { spawnOptions } from '../../../support/command-line.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { jsonLines, record } from '../../../support/import-file.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import { atEndOf } from '../../../support/scope.ts';

const CSV_HEADER = csvHeader(CSV_COLUMNS);

const BIN = fileURLToPath(new URL('../../../../src/service/cli/bin.ts', import.meta.url));
const rows = (count: number) =>
  Array.from({ length: count }, (_, number) => renderCsvRow(record(`k${number}`) as ApiKeyRecord)).join('');

/** One fault of each layer: `read-csv-refusals.unit.ts` and `text.unit.ts` have all. */
const files: [what: string, name: string, content: string | Uint8Array, message: RegExp][] = [
  ['an unknown column', 'a.csv', `${CSV_HEADER.trim()},x\n${rows(1)}`, /line 1: unknown column x/],
  [
    'bytes that are not UTF-8',
    'e.csv',
    Buffer.from(`${CSV_HEADER}k,\xe9,`, 'latin1'),
    /the file is not UTF-8/,
  ],
  ['truncated gzip', 'f.csv.gz', gzipSync(CSV_HEADER + rows(3_000)).subarray(0, -20), /gzip: /],
];
for (const [what, name, content, message] of files) {
  test(`a file with ${what} is refused in one line`, async t => {
    const { env, folder, organization, records } = await embeddedStore(t);
    const file = join(folder, name);
    writeFileSync(file, content);
    const args = ['import', file, '--organization', organization];
    assertFailed(await runCommand(args, { env }), 1, message);
    const rejecting = await runCommand([...args, '--rejects', join(folder, 'rejects.jsonl')], { env });
    assertFailed(rejecting, 1, message);
    assert.deepEqual(await records(), []);
  });
}

test('a file that is refused as a whole leaves no rejects file, so that the next run can write one', async t => {
  const { env, folder, organization } = await embeddedStore(t);
  const rejects = join(folder, 'rejects.jsonl');
  const run = (id: string, format: string) => {
    const args = ['import', '-', '--organization', id, '--format', format, '--rejects', rejects];
    return runCommand(args, { env, input: jsonLines([record('k1')]) });
  };
  assertFailed(await run('org_unknown', 'jsonl'), 1, /there is no organization/);
  assert.equal(existsSync(rejects), false);
  assertFailed(await run(organization, 'csv'), 1, /line 1: /);
  assert.equal(existsSync(rejects), false);
  assert.equal((await run(organization, 'jsonl')).exitCode, 0);
});

test('an unknown format is wrong usage', async t => {
  const { env, organization } = await embeddedStore(t);
  const args = ['import', '-', '--organization', organization, '--format', 'xml'];
  assertFailed(await runCommand(args, { env }), 2, /xml.*jsonl, csv/);
});

test('a refused import ends at once, even while standard input stays open', async t => {
  const { env, organization } = await embeddedStore(t);
  const args = [BIN, 'import', '-', '--format', 'csv', '--organization', organization];
  const child = spawn(process.execPath, args, spawnOptions({ env }));
  const closed = once(child, 'close');
  atEndOf(t, async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const timeout = setTimeout(() => child.kill('SIGKILL'), 15_000);
  child.stdin.on('error', () => {});
  child.stdin.write(`no,header\n${rows(2_000)}`); // several chunks, and the input never ends
  const [exitCode, signal] = await closed;
  clearTimeout(timeout);
  assert.deepEqual([exitCode, signal], [1, null], 'killed: it waited for the end of its input');
});
