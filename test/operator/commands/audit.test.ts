import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { type EmbeddedStore, embeddedStore } from '../../support/embedded-store.ts';
import { fromJsonLines, importContent, jsonLines, record } from '../../support/import-file.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import { suiteScope } from '../../support/scope.ts';
import { TEST_ACTOR } from '../../support/store-at.ts';

describe('audit', () => {
  const scope = suiteScope();
  let store: EmbeddedStore;
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runCommand(args, { env: { ...store.env, ...env } });
  const audited = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await run(['audit', '--format', 'jsonl', ...args]);
    assert.deepEqual([exitCode, stderr], [0, '']);
    return stdout.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]));
  };
  before(async () => {
    store = await embeddedStore(scope);
    await importContent(store, jsonLines([record('k1'), record('k2')]));
    await run(['set-status', 'archived', 'k1', '--organization', store.organization, '--actor', 'Ålice']);
    await run(['organizations', 'create', 'Other', '--id', 'org_other'], { KEYROSTER_ACTOR: 'CI: job 7' });
    await run(['organizations', 'create', 'Third', '--id', 'org_third'], { SUDO_USER: 'ann' });
  });

  test('--format jsonl prints each entry as JSON', async () => {
    const [entry] = await audited('--action', 'set_status');
    const { number, time, ...rest } = entry;
    assert.ok(Number.isInteger(number));
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.deepEqual(rest, {
      actor: 'Ålice',
      database_user: null,
      action: 'set_status',
      organization_id: store.organization,
      subject_id: 'k1',
      details: { status: 'archived', changed: 1, unchanged: 0 },
    });
  });

  test('the actor is --actor, else KEYROSTER_ACTOR, else who ran sudo, else the system user', async () => {
    const actors = async (action: string) =>
      (await audited('--action', action)).map(({ actor }: { actor: string }) => actor);
    assert.deepEqual(await actors('set_status'), ['Ålice']);
    assert.deepEqual(await actors('create_organization'), [TEST_ACTOR, 'CI: job 7', 'ann']);
    assert.deepEqual(await actors('import'), [process.env.SUDO_USER ?? userInfo().username]);
  });

  test('a pipe gets a line for each entry, oldest first, with tabs between the cells', async () => {
    const { stdout } = await run(['audit', '--organization', store.organization]);
    const rows = stdout.split('\n').map(line => line.split('\t').slice(1));
    assert.deepEqual(rows.at(-2), [
      ...['Ålice', '-', 'set_status', store.organization, 'k1'],
      'status archived, changed 1, unchanged 0',
    ]);
    assert.deepEqual(
      rows.map(([, , action]) => action),
      ['create_organization', 'create_admin_key', 'import', 'set_status', undefined],
    );
  });

  test('a wrong option is wrong usage, and so is an actor that is no name', async () => {
    const wrong: [string[], RegExp][] = [
      [['audit', '--since', 'yesterday'], /^keyroster: --since: must be an RFC 3339/],
      [['audit', '--action', 'read'], /^keyroster: option '--action <action>' argument 'read' is invalid/],
      [
        ['organizations', 'create', 'X', '--actor', 'a\nb'],
        /^keyroster: --actor: must be 1 to 128 printable/,
      ],
    ];
    await Promise.all(wrong.map(async ([args, message]) => assertFailed(await run(args), 2, message)));
  });
});

test('an entry is listed whatever the store has in it, and controls no terminal and shows no admin key', async t => {
  const store = await embeddedStore(t);
  const key = 'vendor-admin01-abcdefgh';
  const all = [
    'null',
    '[]',
    '"s"',
    '3',
    'x',
    '{"a":1e999}',
    '{"a":{"toString":1}}',
    `{"${key}":"\\n${key}"}`,
  ];
  const database = new DatabaseSync(store.file);
  database.exec('PRAGMA ignore_check_constraints = ON');
  const insert = database.prepare(
    'INSERT INTO audit_log (recorded_at, actor, action, details, organization_id) VALUES (?, ?, ?, ?, ?)',
  );
  for (const details of all) insert.run(1n, 'somebody', 'import', details, 'org_odd');
  insert.run(1n, 'a\u202eb', `\n${key}`, `{"a":"\\n${key}\\u2028"}`, 'org_odd');
  insert.run(2n ** 62n, 'somebody', 'import', '{}', 'org_odd');
  database.close();
  const run = (format: string) =>
    runCommand(['audit', '--organization', 'org_odd', '--format', format], { env: store.env });

  const { exitCode, stdout, stderr } = await run('jsonl');
  assert.deepEqual([exitCode, stderr], [0, '']);
  const entries = fromJsonLines(stdout);
  assert.deepEqual(
    entries.slice(0, 7).map(({ details }) => details),
    all.slice(0, 7).map(unreadable => ({ unreadable })),
  );
  assert.deepEqual(entries[8].details, { a: '\n[admin key]\u2028' });
  assert.deepEqual([entries[8].actor, entries[8].action], ['a\u202eb', '\n[admin key]']);
  assert.equal(entries.length, 10);
  const table = await run('table');
  assert.deepEqual([table.exitCode, table.stdout.split('\n').length], [0, 11]);
  for (const text of [stdout, table.stdout]) {
    assert.doesNotMatch(text, /[\u202e\u2028]/);
    assert(!text.includes(key));
  }
});
