import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { jsonLines, listedJson, record } from '../../../support/import-file.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { numberedKeys, type SeededService, startSeededService } from '../../../support/seeded-service.ts';

describe('diff', () => {
  const scope = suiteScope();
  let folder: string;
  let listed: SeededService;
  let env: Record<string, string>;
  const saved = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const old = [record('k2'), record('k1'), record('k0', { created_at: '2024-01-01T00:00:00.000000Z' })];
  const current = [
    record('k3', { created_at: '2024-11-01T00:00:00.000000Z', workspace_id: null }),
    record('k2', { name: 'a\tb\u202e\n', workspace_id: null }),
    record('k1', { status: 'archived' }),
  ];
  let [OLD, NEW] = ['', ''];

  before(async () => {
    folder = temporaryFolder(scope);
    OLD = saved('old.jsonl.gz', gzipSync(jsonLines(old)));
    NEW = saved('new.json', listedJson(current));
    listed = await startSeededService(scope, numberedKeys(700));
    env = { KEYROSTER_BASE_URL: listed.service.url, KEYROSTER_ADMIN_KEY: listed.secret };
  });

  test('prints a line for each change, with tabs and without control characters, and exits with 4', async () => {
    const { stdout, stderr, exitCode } = await runCommand(['diff', OLD, NEW]);
    assert.deepEqual(stdout.split('\n'), [
      'k3\tadded\tKey k3\tactive, created 2024-11-01 by user_a',
      'k2\trenamed\ta\\tb\\u202e\\n\tKey k2 -> a\\tb\\u202e\\n',
      'k2\tmoved\ta\\tb\\u202e\\n\twrkspc_a -> <default>',
      'k1\tarchived\tKey k1\tactive -> archived',
      'k0\tgone\tKey k0\tactive, created 2024-01-01 by user_a',
      '',
    ]);
    assert.equal(stderr, '1 added, 1 gone, 1 archived, 1 renamed, 1 moved; keys: 3 before, 3 now\n');
    assert.equal(exitCode, 4);
  });

  test('prints one JSON document', async () => {
    const { stdout, exitCode } = await runCommand(['diff', OLD, NEW, '--format', 'json']);
    const { changes, counts, keys } = JSON.parse(stdout);
    assert.equal(exitCode, 4);
    assert.deepEqual(keys, { old: 3, new: 3 });
    assert.deepEqual([counts.added, counts.gone, counts.activated], [1, 1, 0]);
    assert.deepEqual(
      changes.map(({ id, kind }: { id: string; kind: string }) => `${id} ${kind}`),
      ['k3 added', 'k2 renamed', 'k2 moved', 'k1 archived', 'k0 gone'],
    );
    const same = await runCommand(['diff', OLD, OLD, '--format', 'json']);
    assert.deepEqual(JSON.parse(same.stdout).changes, []);
    assert.equal(same.exitCode, 0);
  });

  test('compares with the service where only one roster is given, also from standard input', async () => {
    const list = (format: string) => runCommand(['list', '--all', '--format', format], { env });
    for (const format of ['csv', 'json', 'jsonl']) {
      const { stdout: input } = await list(format);
      const same = await runCommand(['diff', '-'], { env, input });
      assert.deepEqual(same, {
        exitCode: 0,
        stdout: '',
        stderr: 'no difference; keys: 700 before, 700 now\n',
      });
    }
    const { stdout: input } = await list('jsonl');
    const lines = input.split('\n').filter(line => !line.includes('"k699"'));
    const without = await runCommand(['diff', '-'], { env, input: lines.join('\n') });
    assert.match(without.stdout, /^k699\tadded\tKey 699\t/);
    assert.equal(without.exitCode, 4);
    assert.equal((await runCommand(['diff', OLD, '-'], { input: jsonLines(old) })).exitCode, 0);
  });

  test('warns of a saved page that is only a part of a roster', async () => {
    const { stdout: input } = await runCommand(['list', '--format', 'json', '--limit', '5'], { env });
    const { stderr, exitCode } = await runCommand(['diff', '-'], { env, input });
    assert.match(stderr, /^warning: standard input has only some of the keys: has_more is true/);
    assert.equal(exitCode, 4);
  });

  test('says which fields it did not compare, and which roster lacks them', async () => {
    const part = saved('part.jsonl', jsonLines([record('k2')]));
    const whole = saved('whole.jsonl', jsonLines([record('k2', { team: 'a', uses: 1 })]));
    const warning = `warning: not compared, as ${part} lacks it: team in 1 key(s), uses in 1 key(s)\n`;
    for (const rosters of [
      [part, whole],
      [whole, part],
    ])
      assert.deepEqual(await runCommand(['diff', ...rosters]), {
        exitCode: 0,
        stdout: '',
        stderr: `no difference; keys: 1 before, 1 now\n${warning}`,
      });
  });

  test('exits with 1 where it could not look', async () => {
    const bad = saved('bad.jsonl', `${jsonLines(old)}{"id":"k9"\n`);
    const twice = saved('twice.jsonl', jsonLines([...old, old[0]]));
    assertFailed(await runCommand(['diff', join(folder, 'missing'), NEW]), 1, /can't read .*missing: ENOENT/);
    assertFailed(await runCommand(['diff', OLD, bad]), 1, /bad\.jsonl: line 4: the end is missing/);
    assertFailed(await runCommand(['diff', twice, NEW]), 1, /twice\.jsonl: has k2 more than once: leave one/);
    assertFailed(
      await runCommand(['diff', OLD, NEW, '--base-url', 'http://127.0.0.1:1']),
      2,
      /--base-url: is of a service, and two saved rosters are compared without one/,
    );
    assertFailed(
      await runCommand(['find', 'k1', '--file', OLD, '--timeout', '1s'], { env }),
      2,
      /--timeout: is of a service, and --file asks none/,
    );
    assertFailed(await runCommand(['diff', '-', '-']), 2, /standard input can be only one of/);
    assert.equal(
      (await runCommand(['diff', OLD], { env: { ...env, KEYROSTER_ADMIN_KEY: 'x'.repeat(20) } })).exitCode,
      1,
    );
  });
});
