import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type EmbeddedStore, embeddedStore } from '../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../support/import-file.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import type { Scope } from '../../support/scope.ts';

const roster = [
  record('k3', { status: 'archived' }),
  record('k2', { status: 'inactive', name: '"k2" é 🗝' }),
  record('k1'),
];

async function filledStore(scope: Scope): Promise<EmbeddedStore> {
  const store = await embeddedStore(scope);
  await importContent(store, jsonLines(roster));
  return store;
}
const setStatus = ({ env, organization }: EmbeddedStore, ...args: string[]) =>
  runCommand(['set-status', ...args, '--organization', organization], { env });

test('set-status changes several keys and prints how many it changed', async t => {
  const store = await filledStore(t);
  const success = { exitCode: 0, stderr: '' };
  assert.deepEqual(await setStatus(store, 'inactive', 'k1', 'k2'), {
    ...success,
    stdout: 'changed 1, unchanged 1\n',
  });
  const { stdout } = await setStatus(store, 'archived', 'k1', 'k2', 'k3', '--json');
  assert.deepEqual(JSON.parse(stdout), { changed: 2, unchanged: 1 });
  assert.deepEqual(
    await store.records(),
    roster.map(each => ({ ...each, status: 'archived' })),
  );
});

test('set-status takes IDs from a file or standard input too, one a line', async t => {
  const store = await filledStore(t);
  const file = join(store.folder, 'ids');
  writeFileSync(file, '\uFEFFk1\r\n\n  k2 \nk1');
  const changed = (count: number) => ({ exitCode: 0, stdout: `changed ${count}, unchanged 1\n`, stderr: '' });
  assert.deepEqual(await setStatus(store, 'inactive', '--from', file), changed(1));
  const args = ['set-status', 'archived', 'k1', '--from', '-', '--organization', store.organization];
  assert.deepEqual(await runCommand(args, { env: store.env, input: 'k2\nk3\n' }), changed(2));
});

test('what is wrong is told, of an ID in a file with its line, and no key is changed', async t => {
  const store = await filledStore(t);
  const file = join(store.folder, 'ids');
  const [none, from] = [`${file}.none`, ['inactive', 'k2', '--from', file]];
  const many = Array.from({ length: 25 }, (_, number) => `no${number}`).join('\n');
  const refusals: [code: 1 | 2, args: string[], message: RegExp, content?: string][] = [
    [2, ['ACTIVE', 'k1'], /status: must be one of active, inactive, archived/],
    [2, ['active'], /id: give at least one, or a file of IDs with --from/],
    [2, ['active', 'k 1'], /id: must be 1 to 255 of/],
    [2, ['active', 'k1', store.secret], /id: must not contain an admin key/],
    [1, ['inactive', '--from', none], /: can't read .*ENOENT/],
    [1, ['active', 'k2', 'k3', 'k1'], /: k3: archived is final$/m],
    [
      1,
      from,
      /changed: line 3: missing: no such API key[^;]*; line 4: k3: archived is final$/m,
      'k1\n\nmissing\nk3\nk2',
    ],
    [
      1,
      from,
      /from: line 2: must be 1 to 255 of [^;]*; line 3: must not contain an admin key/,
      `k1\n{"id":"k2"}\n${store.secret}`,
    ],
    [1, from, /from: line 2: must be 1 to 255 of/, `k1\n${'a'.repeat(100_000)}`],
    [1, from, /line 20: no19: [^;]*; and 5 more$/m, many],
  ];
  for (const [code, args, message, content = ''] of refusals) {
    writeFileSync(file, content);
    const refused = await setStatus(store, ...args);
    assertFailed(refused, code, message);
    assert.ok(!refused.stderr.includes(store.secret));
  }
  const unknown = { ...store, organization: 'org_unknown' as typeof store.organization };
  assertFailed(await setStatus(unknown, 'inactive', 'k1'), 1, /there is no organization/);
  assert.deepEqual(await store.records(), roster);
});
