import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable } from '../../../../src/shared/command/terminal/shown.ts';
import { type EmbeddedStore, embeddedStore } from '../../../support/embedded-store.ts';
import { runCommand, runOnTerminal } from '../../../support/run-many-commands.ts';
import type { Scope } from '../../../support/scope.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const AWKWARD = 'Łódź\t🗝\n\x1b[31m, \u2028';
const ESCAPED = 'Łódź\\t🗝\\n\\u001b[31m, \\u2028';

async function storeWithAwkwardName(scope: Scope): Promise<EmbeddedStore> {
  const store = await embeddedStore(scope);
  await runCommand(['organizations', 'create', AWKWARD, '--id', 'org_awkward'], { env: store.env });
  return store;
}

test('characters that move the cursor or break a line are escaped, and others are printed unchanged', () => {
  for (const code of [0x00, 0x07, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0x2028, 0x2029]) {
    const character = String.fromCharCode(code);
    assert.match(printable(`a${character}b`), /^a\\(u[0-9a-f]{4}|[bfnrt])b$/, code.toString(16));
  }
  assert.equal(printable(AWKWARD), ESCAPED);
  assert.equal(printable('Łódź 東京 🗝 \u00a0-"\''), 'Łódź 東京 🗝 \u00a0-"\'');
});

test('in a pipe a list prints one row per line, separated by tabs, without a heading', async t => {
  const { env, organization } = await storeWithAwkwardName(t);
  const organizations = await runCommand(['organizations', 'list'], { env });
  assert.deepEqual([organizations.exitCode, organizations.stderr], [0, '']);
  const rows = organizations.stdout.split('\n').map(line => line.split('\t'));
  assert.deepEqual(
    rows.map(([id, name]) => [id, name]),
    [
      [organization, 'Test'],
      ['org_awkward', ESCAPED],
      ['', undefined],
    ],
  );
  for (const row of rows.slice(0, 2)) assert.match(row[2] ?? '', TIME);
});

test('on a terminal a list prints a table with a heading, and --json prints the same as in a pipe', async t => {
  const { env, organization } = await storeWithAwkwardName(t);
  const list = ['organizations', 'list'];
  const lines = (await runOnTerminal(list, { env })).split('\n');
  assert.equal(lines.length, 4, 'a name broke its line');
  const starts = ['NAME', 'Test', 'Łódź'].map((name, index) => lines[index]?.indexOf(name));
  assert.deepEqual(starts, Array(3).fill(organization.length + 2));
  assert.match(lines[0] ?? '', /^ID +NAME +CREATED +STATE$/);
  const json = await runOnTerminal([...list, '--json'], { env });
  assert(!json.includes('\u2028'), 'a line separator is escaped on a terminal');
  const piped = JSON.parse((await runCommand([...list, '--json'], { env })).stdout);
  assert.deepEqual(JSON.parse(json), piped);
  assert.equal(piped[1].name, AWKWARD, 'JSON has the name itself');
});
