/** An import whose lines are refused by the tens of thousands takes no more memory than one with a few. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { keyroster } from '../../support/command-line.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { jsonLines, record, withoutImportId } from '../../support/import-file.ts';
import { temporaryFolder } from '../../support/scope.ts';

const LINES = 20_000;
/** The records of the refused lines alone would take more. */
const HEAP_MB = 48;
const line = record('k1', { name: '語'.repeat(1_000) });

test('a file that repeats one ID is imported with --rejects in bounded memory, and each line is rejected in order', async t => {
  const { organization, env } = await embeddedStore(t);
  const folder = temporaryFolder(t);
  const [file, rejects] = [join(folder, 'repeated.jsonl.gz'), join(folder, 'rejects.jsonl')];
  writeFileSync(file, gzipSync(jsonLines([line]).repeat(LINES)));
  const args = ['import', file, '--organization', organization, '--rejects', rejects];
  const NODE_OPTIONS = `--max-old-space-size=${HEAP_MB}`;
  const { exitCode, stdout } = await keyroster(args, { env: { ...env, NODE_OPTIONS } });
  assert.deepEqual(
    [exitCode, withoutImportId(stdout)],
    [4, `inserted 1, updated 0, unchanged 0, refused ${LINES - 1}\n`],
  );
  const rejected = readFileSync(rejects, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    rejected.map(text => Number(/^{"line":(\d+),/.exec(text)?.[1])),
    Array.from({ length: LINES - 1 }, (_, number) => number + 2),
  );
  assert.match(rejected.at(-1) ?? '', /"problems":\["id: duplicate of line 1"\]/);
});
