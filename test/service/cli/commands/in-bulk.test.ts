import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { jsonLines } from '../../../support/import-file.ts';
import { runCommand } from '../../../support/run-many-commands.ts';

const organizations = ['a', 'b'].map(id => ({ id: `org_${id}`, name: `Name of ${id}` }));

test('organizations import reads JSON Lines from a file, gzip or standard input, and counts', async t => {
  const { env, folder } = await embeddedStore(t);
  const file = join(folder, 'organizations.jsonl.gz');
  writeFileSync(file, gzipSync(jsonLines(organizations)));
  const dry = await runCommand(['organizations', 'import', file, '--dry-run'], { env });
  const counts = 'inserted 2, updated 0, unchanged 0, refused 0\n';
  assert.deepEqual(dry, { exitCode: 0, stdout: `dry run, nothing was changed: ${counts}`, stderr: '' });
  const first = await runCommand(['organizations', 'import', file], { env });
  assert.deepEqual(first, { exitCode: 0, stdout: counts, stderr: '' });
  const input = jsonLines([{ ...organizations[0], name: 'Renamed' }, organizations[1] as object]);
  const again = await runCommand(['organizations', 'import', '-', '--json'], { env, input });
  assert.deepEqual(JSON.parse(again.stdout), { inserted: 0, updated: 1, unchanged: 1, refused: 0 });
});

test('organizations import reads what organizations list --json prints', async t => {
  const { env } = await embeddedStore(t);
  const listed = JSON.parse((await runCommand(['organizations', 'list', '--json'], { env })).stdout);
  const input = jsonLines(listed);
  const again = await runCommand(['organizations', 'import', '-'], { env, input });
  assert.equal(again.stdout, `inserted 0, updated 0, unchanged ${listed.length}, refused 0\n`);
  const disabled = jsonLines([{ ...listed[0], disabled_at: '2026-11-22T09:00:00Z' }]);
  const refused = await runCommand(['organizations', 'import', '-'], { env, input: disabled });
  assert.match(refused.stderr, /^line 1: disabled_at: must be null: /);
});

test('organizations import names the refused lines and changes nothing', async t => {
  const { env } = await embeddedStore(t);
  const input = `${jsonLines(organizations)}{"id":"no name"}\nnot JSON\n`;
  const { exitCode, stderr } = await runCommand(['organizations', 'import', '-'], { env, input });
  assert.equal(exitCode, 1);
  assert.match(stderr, /^line 3: id: must be 1 to 128.*\n/);
  assert.match(stderr, /^line 4: not JSON\nkeyroster: 2 line\(s\) refused: nothing was imported\n$/m);
  const { stdout } = await runCommand(['organizations', 'list', '--json'], { env });
  assert.equal(JSON.parse(stdout).length, 1);
});
