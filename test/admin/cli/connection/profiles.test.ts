/** Where the settings of a service come from, and that a profile's admin key goes nowhere else. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { renderApiKey } from '../../../../src/service/roster/api-key.ts';
import { startAnsweringService } from '../../../support/answering-service.ts';
import { assertNoTrace } from '../../../support/canaries.ts';
import { type Finished, keyroster } from '../../../support/command-line.ts';
import type { CommandLine } from '../../../support/command-processes.ts';
import { assertFailed, runCommand, runManyCommands } from '../../../support/run-many-commands.ts';
import { type Scope, suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { numberedKey } from '../../../support/seeded-service.ts';

const record = JSON.parse(renderApiKey(numberedKey(1)));
const PAGE = JSON.stringify({ data: [record], first_id: record.id, last_id: record.id, has_more: false });
const KEY = 'profile-secret-0123456789abcdef';
const OTHER_KEY = 'given-secret-0123456789abcdef';

interface Received {
  readonly url: string;
  /** The admin key and the vendor of each request. */
  readonly requests: [adminKey: string | undefined, vendor: string][];
}

async function startRecording(scope: Scope): Promise<Received> {
  const requests: [string | undefined, string][] = [];
  const url = await startAnsweringService(scope, ({ headers }, response) => {
    const version = Object.keys(headers).find(name => name.endsWith('-version')) ?? '';
    requests.push([String(headers['x-api-key']), version.replace(/-version$/, '')]);
    response.writeHead(200, { 'content-type': 'application/json' }).end(PAGE);
  });
  return { url, requests };
}

/** A folder for settings with these profiles. A text is the content of a file. */
function configWith(
  scope: Scope,
  profiles: Readonly<Record<string, object | string>>,
): Record<string, string> {
  const config = temporaryFolder(scope);
  const folder = join(config, 'keyroster', 'profiles');
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(profiles)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(folder, `${name}.json`), text, { mode: 0o600 });
  }
  return { XDG_CONFIG_HOME: config };
}

describe('the settings of a service', () => {
  const scope = suiteScope();
  let ours: Received;
  let another: Received;
  let env: Record<string, string>;
  const profileOf = ({ url }: Received, vendor = 'acme') => ({ base_url: url, vendor, admin_key: KEY });

  before(async () => {
    ours = await startRecording(scope);
    another = await startRecording(scope);
    env = configWith(scope, { default: profileOf(ours), work: profileOf(another, 'work') });
  });

  const run = async (line: CommandLine, settings = env): Promise<Finished> => {
    ours.requests.length = 0;
    another.requests.length = 0;
    const only = await runCommand(line.args, { env: { ...settings, ...line.env } });
    assertNoTrace([KEY, OTHER_KEY], only.stdout + only.stderr, line.args.join(' '));
    return only;
  };
  const sent = () => ({ ours: ours.requests, another: another.requests });

  test('are those of an option, else of its variable, else of the profile that -p or a variable names', async () => {
    const KEYROSTER_ADMIN_KEY = OTHER_KEY;
    const variables = { KEYROSTER_ADMIN_KEY, KEYROSTER_VENDOR: 'other', KEYROSTER_BASE_URL: another.url };
    for (const [args, env, expected] of [
      [[], {}, { ours: [[KEY, 'acme']], another: [] }],
      [['-p', 'work'], { KEYROSTER_PROFILE: 'default' }, { ours: [], another: [[KEY, 'work']] }],
      [[], { KEYROSTER_PROFILE: 'work' }, { ours: [], another: [[KEY, 'work']] }],
      [[], variables, { ours: [], another: [[OTHER_KEY, 'other']] }],
      [['--vendor', 'flag'], variables, { ours: [], another: [[OTHER_KEY, 'flag']] }],
      [['--base-url', ours.url], variables, { ours: [[OTHER_KEY, 'other']], another: [] }],
      // the vendor of a profile isn't that of another service
      [['--base-url', another.url], { KEYROSTER_ADMIN_KEY }, { ours: [], another: [[OTHER_KEY, 'vendor']] }],
    ] as const) {
      assert.equal((await run({ args: ['list', ...args], env })).stderr, '');
      assert.deepEqual(sent(), expected);
    }
  });

  test('the version is the one that login kept, unless an option or a variable names another', async t => {
    const versions: unknown[] = [];
    const url = await startAnsweringService(t, ({ headers }, response) => {
      versions.push(headers['acme-version']);
      response.writeHead(200, { 'content-type': 'application/json' }).end(PAGE);
    });
    const own = { XDG_CONFIG_HOME: temporaryFolder(t) };
    const login = ['login', '--base-url', url, '--vendor', 'acme', '--api-version', '2024-05-05'];
    assert.equal((await runCommand(login, { env: own, input: KEY })).exitCode, 0);
    const variable = { KEYROSTER_API_VERSION: '2025-01-01' };
    await run({ args: ['list'] }, own);
    await run({ args: ['list'], env: variable }, own);
    await run({ args: ['list', '--api-version', '2026-10-21'], env: variable }, own);
    await run(
      { args: ['list', '--vendor', 'acme', '--base-url', url], env: { KEYROSTER_ADMIN_KEY: KEY } },
      {},
    );
    assert.deepEqual(versions, ['2024-05-05', '2024-05-05', '2025-01-01', '2026-10-21', '2023-06-01']);
    const wrong = await run({ args: ['list', '--api-version', 'a b'] }, own);
    assert.match(wrong.stderr, /^keyroster-admin: --api-version: must be a version such as 2023-06-01/);
  });

  test("the profile's admin key is sent to its own base URL only", async () => {
    const lines: CommandLine[] = [
      { args: ['list', '--base-url', another.url] },
      { args: ['list', '-p', 'default', '--base-url', `${ours.url}/path`] },
      { args: ['report'], env: { KEYROSTER_BASE_URL: another.url } },
    ];
    for (const line of lines) {
      const { exitCode, stderr } = await run(line);
      assert.match(
        stderr,
        /^keyroster-admin: --base-url: isn't that of the profile default, .* give the key of this one/,
      );
      assert.equal(exitCode, 2);
      assert.deepEqual(sent(), { ours: [], another: [] });
    }
    assert.equal((await run({ args: ['list', '--base-url', `${ours.url}/`] })).exitCode, 0);
    assert.deepEqual(sent().ours, [[KEY, 'acme']]);
  });

  test('KEYROSTER_ADMIN_KEY_FILE names a file with the admin key, and only one of the variables may be set', async () => {
    const file = join(temporaryFolder(scope), 'admin-key.txt');
    writeFileSync(file, `${OTHER_KEY}\n`);
    await run({ args: ['list'], env: { KEYROSTER_ADMIN_KEY_FILE: file } });
    assert.deepEqual(sent().ours, [[OTHER_KEY, 'acme']]);
    const both = await run({
      args: ['list'],
      env: { KEYROSTER_ADMIN_KEY_FILE: file, KEYROSTER_ADMIN_KEY: OTHER_KEY },
    });
    assert.deepEqual(
      [both.exitCode, both.stderr],
      [2, 'keyroster-admin: KEYROSTER_ADMIN_KEY and KEYROSTER_ADMIN_KEY_FILE: only one of them may be set\n'],
    );
  });

  test('no base URL is a wrong usage that says what to set: there is no default that could get the admin key', async () => {
    const none = { XDG_CONFIG_HOME: temporaryFolder(scope), KEYROSTER_ADMIN_KEY: OTHER_KEY };
    for (const command of ['list', 'login'])
      assertFailed(
        await run({ args: [command] }, none),
        2,
        /^keyroster-admin: --base-url: the address of the service is required: set KEYROSTER_BASE_URL, or .* login/,
      );
  });

  test('- is standard input, of the option and of the variable', async () => {
    another.requests.length = 0;
    const url = { KEYROSTER_BASE_URL: another.url };
    const input = `${OTHER_KEY}\n`;
    const lines = [
      { args: ['list', '--admin-key-file', '-'], env: url, input },
      { args: ['list'], env: { ...url, KEYROSTER_ADMIN_KEY_FILE: '-' }, input },
    ];
    for (const { args, ...options } of lines) assert.equal((await keyroster(args, options)).stderr, '');
    assert.deepEqual(
      another.requests,
      lines.map(() => [OTHER_KEY, 'vendor']),
    );
    const empty = await keyroster(['list', '--admin-key-file', '-'], { env: url });
    assert.deepEqual(
      [empty.exitCode, empty.stderr],
      [2, 'keyroster-admin: standard input: must have the admin key\n'],
    );
  });

  test('a profile that is not there is named, with those that are', async () => {
    const { exitCode, stderr } = await run({ args: ['list', '-p', 'wrok'] });
    assert.equal(exitCode, 1);
    assert.equal(
      stderr,
      'keyroster-admin: there is no profile wrok: the profiles are default, work; keyroster-admin login -p wrok makes it\n',
    );
  });

  test('the name of a profile is no path', async () => {
    const names = ['../work', 'a/b', '.', '..', '.hidden', '', 'x'.repeat(33), 'ü', '-x'];
    const lines = names.map(name => ({ args: ['logout', `--profile=${name}`] }));
    const { finished } = await runManyCommands(lines, { env: { ...env, KEYROSTER_ADMIN_KEY: KEY } });
    for (const [number, { exitCode, stderr }] of finished.entries()) {
      assert.match(stderr, /^keyroster-admin: --profile: must be 1 to 32 of/, `${lines[number]?.args}`);
      assert.equal(exitCode, 2);
    }
  });

  test('a profile that others may read is refused, with what to do', async () => {
    for (const mode of [0o640, 0o602]) {
      const config = configWith(scope, { default: profileOf(ours) });
      const file = join(String(config.XDG_CONFIG_HOME), 'keyroster/profiles/default.json');
      chmodSync(file, mode);
      const { exitCode, stderr } = await run({ args: ['list'] }, config);
      assert.equal(exitCode, 1);
      assert.equal(
        stderr,
        `keyroster-admin: others can read or write ${file}, which has an admin key: chmod 600 ${file}\n`,
      );
      assert.deepEqual(sent().ours, []);
    }
  });

  test("a file that isn't a profile is refused, and nothing of it is shown", async () => {
    const broken = [
      '',
      `"${KEY}"`,
      `{"admin_key":"${KEY}"`,
      { ...profileOf(ours), vendor: 'Not a vendor' },
      { ...profileOf(ours), base_url: 'ftp://x' },
      { ...profileOf(ours), admin_key: [KEY] },
    ];
    for (const content of broken) {
      const { exitCode, stderr } = await run({ args: ['list'] }, configWith(scope, { default: content }));
      assert.match(
        stderr,
        /default\.json isn't a profile with base_url, .*: keyroster-admin login -p default\n$/,
      );
      assert.equal(exitCode, 1);
    }
  });

  test('a profile is not read where the address and the admin key are given', async () => {
    const config = configWith(scope, { default: 'broken' });
    const given = { KEYROSTER_BASE_URL: another.url, KEYROSTER_ADMIN_KEY: OTHER_KEY };
    assert.equal((await run({ args: ['list'], env: given }, config)).stderr, '');
    assert.deepEqual(sent().another, [[OTHER_KEY, 'vendor']]);
  });

  test('a relative XDG_CONFIG_HOME is ignored, and without an absolute HOME it says what to set', async () => {
    const home = temporaryFolder(scope);
    mkdirSync(join(home, '.config/keyroster/profiles'), { recursive: true });
    writeFileSync(join(home, '.config/keyroster/profiles/default.json'), JSON.stringify(profileOf(ours)), {
      mode: 0o600,
    });
    assert.equal((await run({ args: ['list'] }, { XDG_CONFIG_HOME: 'relative', HOME: home })).stderr, '');
    assert.deepEqual(sent().ours, [[KEY, 'acme']]);
    const homeless = { XDG_CONFIG_HOME: '', HOME: 'relative' };
    for (const args of [['list', '-p', 'work'], ['logout'], ['profiles']]) {
      const { exitCode, stderr } = await run({ args, env: { KEYROSTER_ADMIN_KEY: OTHER_KEY } }, homeless);
      assert.equal(exitCode, 1);
      assert.match(stderr, /^keyroster-admin: there is no folder for profiles: set HOME or XDG_CONFIG_HOME/);
    }
    const env = { KEYROSTER_ADMIN_KEY: OTHER_KEY, KEYROSTER_BASE_URL: ours.url };
    assert.equal((await run({ args: ['list'], env }, homeless)).stderr, '');
  });
});
