import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { createKeyroster } from '../../../../src/service/library.ts';
import type { Vendor } from '../../../../src/shared/record/vendor.ts';
import { startAnsweringService } from '../../../support/answering-service.ts';
import { assertNoTrace, mistyped } from '../../../support/canaries.ts';
import type { Finished } from '../../../support/command-line.ts';
import { freePort } from '../../../support/free-port.ts';
import { listen } from '../../../support/listen.ts';
import { runCommand, runManyCommands } from '../../../support/run-many-commands.ts';
import { atEndOf, suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { startService, stubReader, type TestService } from '../../../support/service.ts';
import { bash, lineOnTerminal, noTerminal, shellCommand } from '../../../support/terminal.ts';

const isRoot = process.getuid?.() === 0;

describe('login', () => {
  const scope = suiteScope();
  const { reader, secret, organization } = stubReader();
  let service: TestService;
  let acme: TestService;
  before(async () => {
    service = await startService(reader);
    acme = await startService(reader, 'acme' as Vendor);
    atEndOf(scope, () => Promise.all([service.close(), acme.close()]));
  });

  const home = () => temporaryFolder(scope);
  const folderOf = (config: string) => join(config, 'keyroster/profiles');
  const fileOf = (config: string, name = 'default') => join(folderOf(config), `${name}.json`);
  const kept = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

  async function login(args: readonly string[], { config = home(), input = secret, env = {} } = {}) {
    const finished = await runCommand(['login', ...args], {
      env: { XDG_CONFIG_HOME: config, ...env },
      input,
    });
    assertNoTrace([secret, mistyped(secret)], finished.stdout + finished.stderr, args.join(' '));
    return { ...finished, config };
  }
  function assertNothingKept({ exitCode, config }: Finished & { config: string }): void {
    assert.equal(exitCode, 1);
    assert(!existsSync(fileOf(config)));
  }

  test('keeps the address, the vendor and the admin key of standard input in a file for the owner only', async () => {
    const { exitCode, stdout, stderr, config } = await login(['--base-url', service.url]);
    assert.deepEqual([exitCode, stderr], [0, '']);
    const file = fileOf(config);
    assert.equal(stdout, `logged in to ${service.url} for ${organization}\nkept in ${file}\n`);
    assert.deepEqual(kept(file), { base_url: service.url, vendor: 'vendor', admin_key: secret });
    assert.deepEqual(
      [file, folderOf(config), join(config, 'keyroster')].map(path => statSync(path).mode & 0o777),
      [0o600, 0o700, 0o700],
    );
    assert.deepEqual(readdirSync(folderOf(config)), ['default.json']);
    const listed = await runCommand(['list'], { env: { XDG_CONFIG_HOME: config } });
    assert.deepEqual([listed.exitCode, listed.stderr], [0, 'the roster has no keys\n']);
  });

  test('tells what an admin key may see, where that is not the whole organization', async () => {
    const only = { workspaceId: 'wrkspc_1', creatorId: 'user_1' };
    const { handle } = await createKeyroster({
      roster: { listApiKeys: async () => ({ items: [], hasMore: false }) },
      authenticate: () => ({ organizationId: 'org_1', callerId: 'ann', only }),
      log: { write: () => {} },
    });
    const url = `http://127.0.0.1:${await listen(scope, createServer(handle))}`;
    const { stdout } = await login(['--base-url', url]);
    assert(
      stdout.startsWith(
        `logged in to ${url} for org_1\nsees only workspace_id=wrkspc_1 and created_by_user_id=user_1\n`,
      ),
      stdout,
    );
  });

  test('takes the admin key of --admin-key-file, and keeps it under the name of --profile', async () => {
    const config = home();
    const key = join(config, 'key.txt');
    writeFileSync(key, `${secret}\n`);
    const args = ['-p', 'work', '--base-url', service.url, '--admin-key-file', key];
    assert.equal((await login(args, { config, input: '' })).exitCode, 0);
    assert.equal(kept(fileOf(config, 'work')).admin_key, secret);
  });

  test('warns where others can read the file of the admin key, but not of a file that is open already', async () => {
    const key = join(home(), 'key.txt');
    writeFileSync(key, secret);
    const warned = async (file: string, mode: number) => {
      chmodSync(key, mode);
      const { exitCode, stderr } = await login(['--base-url', service.url, '--admin-key-file', file]);
      assert.equal(exitCode, 0);
      return stderr;
    };
    const warning = `warning: --admin-key-file: others can read ${key}: chmod 600 ${key}\n`;
    assert.equal(await warned(key, 0o644), warning);
    assert.equal(await warned(key, 0o640), '');
    chmodSync(key, 0o644);
    const args = ['login', '--base-url', service.url, '--admin-key-file', '/dev/stdin'];
    const open = await bash(`${shellCommand(args)} < '${key}'`, { XDG_CONFIG_HOME: home() });
    assert.deepEqual([open.status, open.stderr], [0, '']);
  });

  test('finds out the vendor where none is given, and names it where another is given', async () => {
    const found = await login(['--base-url', acme.url]);
    assert.deepEqual([found.exitCode, kept(fileOf(found.config)).vendor], [0, 'acme']);
    const { exitCode, stderr, config } = await login(['--base-url', acme.url, '--vendor', 'other']);
    assert.equal(exitCode, 2);
    assert.equal(
      stderr,
      'keyroster-admin: --vendor: the service asks for acme-version: give --vendor acme\n',
    );
    assert(!existsSync(fileOf(config)));
  });

  test('keeps nothing of an admin key that the service refuses', async () => {
    const refused = await login(['--base-url', service.url], { input: mistyped(secret) });
    assert.match(
      refused.stderr,
      /^keyroster-admin: nothing was kept: http:\/\/127\.0\.0\.1:\d+: x-api-key: not a valid admin key \(authentication_error, req_\w+\)\n$/,
    );
    assertNothingKept(refused);
  });

  test('keeps nothing where the address is wrong, or nothing answers there', async () => {
    const page = await startAnsweringService(scope, (_, response) => response.end('<h1>Welcome</h1>'));
    const wrong = await login(['--base-url', page]);
    assert.match(
      wrong.stderr,
      /nothing was kept: http:\/\/127\.0\.0\.1:\d+: the answer is not JSON: is this the base URL of the service\?\n$/,
    );
    assertNothingKept(wrong);
    const withPath = await login(['--base-url', `${service.url}/console/`]);
    assert.match(
      withPath.stderr,
      new RegExp(`nothing was kept: .*; give only the address, such as ${service.url} `),
    );
    assertNothingKept(withPath);
    const nothing = await login(['--base-url', `http://127.0.0.1:${await freePort()}`]);
    assert.match(
      nothing.stderr,
      /keyroster-admin: nothing was kept: no complete answer from .*: ECONNREFUSED\n$/,
    );
    assertNothingKept(nothing);
    const noUrl = await login(['--base-url', 'example.com']);
    assert.match(noUrl.stderr, /^keyroster-admin: --base-url: must be an http or https URL/);
    assert.equal(noUrl.exitCode, 2);
  });

  test('without an admin key says that standard input must have it', async () => {
    const { exitCode, stderr } = await login(['--base-url', service.url], { input: '\n' });
    assert.deepEqual([exitCode, stderr], [2, 'keyroster-admin: standard input: must have the admin key\n']);
  });

  test('says which variables win over what it kept', async () => {
    const env = { KEYROSTER_BASE_URL: service.url, KEYROSTER_ADMIN_KEY: secret };
    const { exitCode, stderr } = await login([], { env, input: '' });
    const warning =
      'warning: KEYROSTER_BASE_URL, KEYROSTER_ADMIN_KEY: set in the environment, which wins over a profile\n';
    assert.deepEqual([exitCode, stderr], [0, warning]);
  });

  test('again replaces the profile, also one that others can read or that is broken', async () => {
    const config = home();
    mkdirSync(folderOf(config), { recursive: true });
    writeFileSync(fileOf(config), 'broken');
    chmodSync(fileOf(config), 0o666);
    assert.equal((await login(['--base-url', acme.url], { config })).exitCode, 0);
    assert.equal(statSync(fileOf(config)).mode & 0o777, 0o600);
    const again = await login([], { config });
    assert.equal(again.exitCode, 0, 'the address is that of the profile');
    assert.deepEqual(kept(fileOf(config)), { base_url: acme.url, vendor: 'acme', admin_key: secret });
  });

  test('in a folder that may not be written says so', async () => {
    const config = home();
    if (isRoot) writeFileSync(join(config, 'keyroster'), 'a file in the place of the folder');
    else chmodSync(config, 0o500);
    const { exitCode, stderr } = await login(['--base-url', service.url], { config });
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /^keyroster-admin: the profile default isn't kept: can't write .*default\.json: E\w+/,
    );
  });

  describe('on a terminal', { skip: noTerminal }, () => {
    const onTerminal = async (config: string, typed: { after: RegExp; text: string }) => {
      const line = `${shellCommand(['login'])}; echo "exit code $?"`;
      const shown = await lineOnTerminal(line, { XDG_CONFIG_HOME: config }, { typed, columns: 200 });
      assertNoTrace([secret], shown, 'the terminal');
      return shown;
    };

    test('asks for the address, and for the admin key without showing it, also where both are pasted', async () => {
      const config = home();
      const shown = await onTerminal(config, { after: /Base URL/, text: `${service.url}\r${secret}\r` });
      assert.match(shown, /Base URL \[http:\/\/127\.0\.0\.1:8080\]: /);
      assert(shown.includes(service.url), 'what is typed for the address is shown');
      assert.match(shown, /Admin key: \r\nlogged in to .*\r\nkept in .*\r\nexit code 0/s);
      assert.equal(kept(fileOf(config)).admin_key, secret);
      const again = await onTerminal(config, { after: /Base URL/, text: `\r${secret}\r` });
      assert.match(again, new RegExp(`Base URL \\[${service.url}\\]: `));
      assert.match(again, /exit code 0/);
    });

    test('Ctrl-D at a question keeps nothing', async () => {
      const config = home();
      const shown = await onTerminal(config, { after: /Base URL/, text: '\x04' });
      assert.match(shown, /\r\nkeyroster-admin: nothing was entered\r\nexit code 1/);
      assert(!existsSync(fileOf(config)));
    });

    test('Ctrl-C at either question ends the command as an interrupt, and a loop of the shell with it', async () => {
      for (const type of ['\x03', `${service.url}\r\x03`, `${service.url}\r${secret}\x03`]) {
        const config = home();
        const loop = `for each in 1 2; do ${shellCommand(['login'])}; echo went on; done`;
        const typed = { after: /Base URL/, text: type };
        const shown = lineOnTerminal(loop, { XDG_CONFIG_HOME: config }, { typed, columns: 200 });
        await assert.rejects(shown, ({ message }: Error) => {
          assertNoTrace([secret], message, 'the terminal');
          assert.doesNotMatch(message, /went on|nothing was entered/);
          assert.match(message, /^130: /);
          return true;
        });
        assert(!existsSync(fileOf(config)));
      }
    });
  });
});

describe('logout and profiles', () => {
  const scope = suiteScope();
  const KEY = 'another-secret-0123456789abcdef';
  const profile = (host: string) =>
    JSON.stringify({ base_url: `https://${host}`, vendor: 'acme', admin_key: KEY });
  function configWith(files: Readonly<Record<string, string>>) {
    const config = temporaryFolder(scope);
    const folder = join(config, 'keyroster/profiles');
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    return { folder, env: { XDG_CONFIG_HOME: config } };
  }

  test('logout removes the file, and says that the admin key is still valid', async () => {
    const { folder, env } = configWith({ 'default.json': profile('a.example'), 'work.json': 'broken' });
    const lines = [['logout'], ['logout', '-p', 'work'], ['logout']].map(args => ({ args }));
    const { finished } = await runManyCommands(lines, { env });
    const valid = 'the admin key is still valid, until the operator of the service revokes it\n';
    assert.deepEqual(finished, [
      { exitCode: 0, stdout: `removed ${folder}/default.json\n${valid}`, stderr: '' },
      { exitCode: 0, stdout: `removed ${folder}/work.json\n${valid}`, stderr: '' },
      {
        exitCode: 1,
        stdout: '',
        stderr: 'keyroster-admin: there is no profile default: there are no profiles\n',
      },
    ]);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('profiles lists names, addresses, vendors and which one is used, and never an admin key', async () => {
    const { folder, env } = configWith({
      'work.json': profile('b.example'),
      'default.json': profile('a.example'),
      'notes.txt': KEY,
      '.work.1.tmp': KEY,
    });
    const lines = [
      { args: ['profiles'] },
      { args: ['profiles', '--json'], env: { KEYROSTER_PROFILE: 'work' } },
    ];
    const { finished } = await runManyCommands(lines, { env });
    assertNoTrace([KEY], JSON.stringify(finished), 'the output');
    const [table, json] = finished;
    assert.equal(
      table?.stdout,
      `default\thttps://a.example\tacme\tnow\t${folder}/default.json\n` +
        `work\thttps://b.example\tacme\t\t${folder}/work.json\n`,
    );
    assert.deepEqual(
      JSON.parse(String(json?.stdout)).map(({ name, used }: { name: string; used: boolean }) => [name, used]),
      [
        ['default', false],
        ['work', true],
      ],
    );
  });

  test('profiles lists the others where one is broken, names that one, and exits with 1', async () => {
    const { env } = configWith({ 'work.json': KEY, 'default.json': profile('a.example') });
    const finished = [await runCommand(['profiles'], { env })];
    assertNoTrace([KEY], JSON.stringify(finished), 'the output');
    assert.match(String(finished[0]?.stdout), /^default\t.*\n$/);
    assert.match(String(finished[0]?.stderr), /work\.json isn't a profile with base_url/);
    assert.equal(finished[0]?.exitCode, 1);
  });
});
