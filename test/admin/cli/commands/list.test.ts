import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { AdminKeySecret } from '../../../../src/service/roster/admin-key-secret.ts';
import { renderApiKey } from '../../../../src/service/roster/api-key.ts';
import type { Vendor } from '../../../../src/shared/record/vendor.ts';
import { startStubService } from '../../../support/answering-service.ts';
import { apiKeyCanary, assertNoTrace } from '../../../support/canaries.ts';
import {
  assertFailed,
  runCommand,
  runManyCommands,
  runOnTerminal,
} from '../../../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { numberedKeys, type SeededService, startSeededService } from '../../../support/seeded-service.ts';
import { noTerminal, onTerminal } from '../../../support/terminal.ts';

describe('list', () => {
  const scope = suiteScope();
  const keys = numberedKeys(45).map((key, number) =>
    number === 1 ? { ...key, name: '日本\u202e\t"x",' } : key,
  );
  const records = keys.map(key => JSON.parse(renderApiKey(key)));
  let listed: SeededService;
  let env: Record<string, string>;
  const list = (...args: string[]) => runCommand(['list', ...args], { env });
  const ids = (stdout: string) =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map(line => line.split('\t')[0]);

  before(async () => {
    listed = await startSeededService(scope, keys);
    env = { KEYROSTER_BASE_URL: listed.service.url, KEYROSTER_ADMIN_KEY: listed.secret };
  });

  test('prints one page, and the cursor of the next page if there are more keys', async () => {
    const first = await list();
    assert.deepEqual(ids(first.stdout), listed.ids.slice(0, 20));
    assert.equal(first.stderr, 'there are more: continue with --after k19, or use --all\n');
    const next = await list('--after', 'k19', '--limit', '25');
    assert.deepEqual([ids(next.stdout), next.stderr, next.exitCode], [listed.ids.slice(20), '', 0]);
    const back = await list('--before', 'k20', '--limit', '5');
    assert.deepEqual(ids(back.stdout), listed.ids.slice(15, 20));
    assert.equal(back.stderr, 'there are more: continue with --before k15, or use --all\n');
  });

  test('with --format json prints the envelope of the API, for one page or for all', async () => {
    const page = JSON.parse((await list('--format', 'json', '--limit', '2')).stdout);
    assert.deepEqual(page, { data: records.slice(0, 2), first_id: 'k0', last_id: 'k1', has_more: true });
    const all = JSON.parse((await list('--format', 'json', '--all', '--limit', '20')).stdout);
    assert.deepEqual(all, { data: records, first_id: 'k0', last_id: 'k44', has_more: false });
    const none = JSON.parse((await list('--format', 'json', '--workspace', 'none')).stdout);
    assert.deepEqual(none, { data: [], first_id: null, last_id: null, has_more: false });
  });

  test('on a terminal is in colour unless NO_COLOR is set', async () => {
    const shownWith = (colours: Record<string, string>) =>
      runOnTerminal(['list', '--limit', '3'], { env: { ...env, ...colours } });
    assert((await shownWith({})).includes('\x1b['));
    assert(!(await shownWith({ NO_COLOR: '1', FORCE_COLOR: '1' })).includes('\x1b['));
  });

  test('prefers the admin key of a file to that of the environment, and prompts for one without echoing it', {
    skip: noTerminal,
  }, async () => {
    const file = join(temporaryFolder(scope), 'admin-key');
    writeFileSync(file, `${listed.secret}\n`);
    const wrong = { ...env, KEYROSTER_ADMIN_KEY: 'wrong' };
    assert.equal((await runCommand(['list', '--admin-key-file', file], { env: wrong })).exitCode, 0);
    const typed = { after: /Admin key: /, text: `${listed.secret}\n` };
    const shown = await onTerminal(['list', '--limit', '1'], { ...env, KEYROSTER_ADMIN_KEY: '' }, { typed });
    assert.match(shown, /k0 +Key 0/);
    assertNoTrace([listed.secret], shown, 'the terminal');
  });

  test('fails with one line that gives the reason and never contains the admin key', async () => {
    const { KEYROSTER_BASE_URL = '' } = env;
    const lines = join(temporaryFolder(scope), 'lines');
    writeFileSync(lines, `${listed.secret}\n${listed.secret}\n`, { mode: 0o600 });
    for (const [args, environment, code, message] of [
      [
        [],
        { KEYROSTER_BASE_URL },
        2,
        /an admin key is required: set KEYROSTER_ADMIN_KEY, or .*--admin-key-file/,
      ],
      [
        ['--admin-key-file', lines],
        {},
        2,
        /--admin-key-file: \S+lines: must be an admin key, without spaces/,
      ],
      [['--admin-key-file', 'missing'], { KEYROSTER_BASE_URL }, 1, /--admin-key-file: can't read missing/],
      [[], { ...env, KEYROSTER_ADMIN_KEY: 'a b' }, 2, /the admin key: must be/],
      [
        ['--after', 'nobody'],
        env,
        1,
        /127\.0\.0\.1:\d+: after_id: not an API key of this organization \(invalid_request_error, req_/,
      ],
      [['--after', 'a', '--before', 'b'], env, 2, /--before <id>' cannot be used with option '--after <id>'/],
      [['--workspace', 'bad id'], env, 2, /^keyroster-admin: --workspace: must be 1 to 1000 visible /],
      [['--limit', '0'], env, 2, /--limit: must be a whole number from 1 to 1000/],
      [['--status', 'gone'], env, 2, /gone.*active, inactive, archived/],
    ] as const) {
      const finished = await runCommand(['list', ...args], { env: environment });
      assertFailed(finished, code, message);
      assertNoTrace([listed.secret], finished.stderr, 'the error');
    }
  });

  test('shows the statuses, creator types and fields that only a newer service has', async () => {
    const newer = {
      ...records[0],
      status: 'constructor',
      created_by: { ...records[0].created_by, type: 'robot' },
      expires_at: null,
    };
    const newerEnv = { ...env, KEYROSTER_BASE_URL: await startStubService(scope, [newer]) };
    const listed = async (...args: string[]) => {
      const { stdout, stderr, exitCode } = await runCommand(['list', ...args], { env: newerEnv });
      assert.deepEqual([stderr, exitCode], ['', 0]);
      return stdout;
    };
    assert.match(await listed(), /^k0\tKey 0\tconstructor\t/);
    assert.deepEqual(JSON.parse(await listed('--format', 'jsonl', '--all')), newer);
    assert.match(await listed('--format', 'csv'), /,robot,[^,]+,constructor,,\n$/);
    assert.match(
      stripVTControlCharacters(await runOnTerminal(['list'], { env: newerEnv })),
      /k0 +Key 0 +constructor/,
    );
  });

  test('with --columns shows only these, also those that the operator has declared', async () => {
    const declared = { ...records[0], last_used_at: '2026-01-02T03:04:05.000000Z', calls: -7, note: '=1+1' };
    const declaredEnv = { ...env, KEYROSTER_BASE_URL: await startStubService(scope, [declared]) };
    const listed = (...args: string[]) => runCommand(['list', ...args], { env: declaredEnv });
    const columns = ['--columns', 'id,created_by.type,last_used_at,calls,note'];
    const table = await listed(...columns);
    assert.equal(table.stdout, 'k0\tuser\t2026-01-02T03:04:05.000000Z\t-7\t=1+1\n');
    const csv = await listed(...columns, '--format', 'csv');
    assert.equal(
      csv.stdout,
      "id,created_by.type,last_used_at,calls,note\nk0,user,2026-01-02T03:04:05.000000Z,-7,'=1+1\n",
    );
    const all = await listed('--format', 'csv');
    assert.match(all.stdout, /,workspace_id,last_used_at,calls,note\n.*,-7,'=1\+1\n$/);
    const mistyped = await listed('--columns', 'id,last_used');
    assertFailed(mistyped, 2, /^keyroster-admin: --columns: no "last_used": did you mean last_used_at\?\n$/);
    const unknown = await listed('--columns', 'owner');
    assertFailed(unknown, 2, /--columns: no "owner": there are only id, name, .*, last_used_at, calls, note/);
    assertFailed(await listed('--exact'), 2, /--exact: is for CSV, and there is none/);
    for (const format of ['json', 'jsonl'])
      assertFailed(
        await listed(...columns, '--format', format),
        2,
        /--columns: is for --format table and csv:/,
      );
    assertFailed(await listed('--name', 'none', '--all', '--columns', 'owner'), 2, /--columns: no "owner"/);
    assertFailed(await listed('--columns', 'id,id'), 2, /--columns: must name each column once/);
  });

  test('says on standard error why it prints no key', async () => {
    const none = { ...env, KEYROSTER_BASE_URL: await startStubService(scope, []) };
    const said = async (args: readonly string[], from = env) => {
      const { exitCode, stdout, stderr } = await runCommand(['list', ...args], { env: from });
      assert.deepEqual([exitCode, stdout], [0, ''], args.join(' '));
      return stderr.replace(/^read .*\n/, '');
    };
    assert.equal(await said([], none), 'the roster has no keys\n');
    assert.equal(await said(['--all'], none), 'the roster has no keys\n');
    assert.equal(await said(['--after', 'k44']), 'no more keys\n');
    assert.equal(await said(['--status', 'archived']), 'no key matches\n');
    assert.equal(await said(['--name', 'x*', '--all']), 'no key matches\n');
    assert.equal(
      await said(['--name', "b'ing"]),
      "no key matches; for a part of a name: --name '*b'\\''ing*'\n",
    );
  });

  test('refuses a record that no service may list, by its ID and the field', async () => {
    for (const [field, odd] of Object.entries({
      name: { name: 7 },
      'created_by.id': { created_by: { id: 7 } },
      status: { status: 1 },
      workspace_id: { workspace_id: ['w'] },
      created_at: { created_at: 1_730_000_000 },
    })) {
      const url = await startStubService(scope, [{ ...records[0], ...odd }]);
      for (const command of [['list'], ['list', '--all'], ['report']])
        assertFailed(
          await runCommand(command, { env: { ...env, KEYROSTER_BASE_URL: url } }),
          1,
          new RegExp(`the service lists k0 with a ${field} that docs/api\\.md does not allow`),
        );
    }
  });
});

test('list sends nothing that looks like a full key, and does not repeat it', async () => {
  const { key } = apiKeyCanary();
  const adminKey = AdminKeySecret.issue('vendor' as Vendor).reveal();
  const options = ['--after', '--before', '--workspace', '--creator'];
  const lines = options.flatMap(option => [key, adminKey].map(secret => ['list', option, secret]));
  const env = { KEYROSTER_BASE_URL: 'http://127.0.0.1:1', KEYROSTER_ADMIN_KEY: 'x' };
  const { finished } = await runManyCommands(
    lines.map(args => ({ args })),
    { env },
  );
  for (const [number, each] of finished.entries()) {
    assertFailed(each, 2, new RegExp(`^keyroster-admin: ${lines[number]?.[1]}: looks like a full key`));
    assertNoTrace([key, adminKey], each.stderr, 'the message');
  }
});
