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
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Vendor } from '../../../../src/shared/record/vendor.ts';
import { startAnsweringService } from '../../../support/answering-service.ts';
import { assertNoTrace, mistyped } from '../../../support/canaries.ts';
import { freePort } from '../../../support/free-port.ts';
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

  test('takes the admin key of --admin-key-file, and warns where others can read it, but not where it is open already', async () => {
    const key = join(home(), 'key.txt');
    writeFileSync(key, secret);
    const warned = async (mode: number) => {
      chmodSync(key, mode);
      const given = await login(['-p', 'work', '--base-url', service.url, '--admin-key-file', key]);
      assert.equal(kept(fileOf(given.config, 'work')).admin_key, secret);
      return given.stderr;
    };
    assert.equal(await warned(0o640), '');
    const warning = `warning: --admin-key-file: others can read ${key}: chmod 600 ${key}\n`;
    assert.equal(await warned(0o644), warning);
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

  test('keeps nothing where the admin key or the address is wrong, or nothing answers there', async () => {
    const page = await startAnsweringService(scope, (_, response) => response.end('<h1>Welcome</h1>'));
    for (const [url, input, reason] of [
      [
        service.url,
        mistyped(secret),
        'x-api-key: not a valid admin key \\(authentication_error, req_\\w+\\)',
      ],
      [page, secret, 'the answer is not JSON: is this the base URL of the service\\?'],
      [`${service.url}/console/`, secret, `.*; give only the address, such as ${service.url} .*`],
      [`http://127.0.0.1:${await freePort()}`, secret, '.*ECONNREFUSED'],
    ] as const) {
      const { exitCode, stderr, config } = await login(['--base-url', url], { input });
      assert.match(stderr, new RegExp(`^keyroster-admin: nothing was kept: .*${reason}$`, 'm'));
      assert.equal(exitCode, 1);
      assert(!existsSync(fileOf(config)));
    }
    const noUrl = await login(['--base-url', 'example.com']);
    assert.match(noUrl.stderr, /^keyroster-admin: --base-url: must be an http or https URL/);
    assert.equal(noUrl.exitCode, 2);
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
      assert.match(shown, /Base URL: /);
      assert(shown.includes(service.url), 'what is typed for the address is shown');
      assert.match(shown, /Admin key: \r\nlogged in to .*\r\nkept in .*\r\nexit code 0/s);
      assert.equal(kept(fileOf(config)).admin_key, secret);
      const again = await onTerminal(config, { after: /Base URL/, text: `\r${secret}\r` });
      assert.match(again, new RegExp(`Base URL \\[${service.url}\\]: `));
      assert.match(again, /exit code 0/);
    });

    test('Ctrl-D at a question keeps nothing, nor does an empty address', async () => {
      const config = home();
      const empty = await onTerminal(config, { after: /Base URL/, text: '\r' });
      assert.match(
        empty,
        /keyroster-admin: --base-url: the address of the service is required.*exit code 2/s,
      );
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
    const { folder, env } = configWith({
      'default.json': profile('a.example'),
      'work.json': 'broken',
      '.work.json.12ab.tmp': KEY,
    });
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

  test('profiles lists which one is used, names one that is broken, and never an admin key', async () => {
    const { folder, env } = configWith({
      'work.json': profile('b.example'),
      'default.json': profile('a.example'),
      'notes.txt': KEY,
      '.work.1.tmp': KEY,
    });
    const table = await runCommand(['profiles'], { env });
    assert.equal(
      table.stdout,
      `default\thttps://a.example\tacme\tnow\t${folder}/default.json\n` +
        `work\thttps://b.example\tacme\t\t${folder}/work.json\n`,
    );
    writeFileSync(join(folder, 'default.json'), KEY);
    const json = await runCommand(['profiles', '--json'], { env: { ...env, KEYROSTER_PROFILE: 'work' } });
    const [{ name, used }] = JSON.parse(json.stdout);
    assert.deepEqual([name, used, json.exitCode], ['work', true, 1]);
    assert.match(json.stderr, /default\.json isn't a profile with base_url/);
    assertNoTrace([KEY], JSON.stringify([table, json]), 'the output');
  });
});
