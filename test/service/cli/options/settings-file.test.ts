import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { settingsSchema } from '../../../../src/service/cli/options/settings-file.ts';
import { flagOf, nameOf, SETTINGS, type Setting, variableOf } from '../../../../src/service/settings.ts';
import { pairFiles } from '../../../support/certificate.ts';
import { BINS, spawnOptions, startKeyroster } from '../../../support/command-line.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const IS_WINDOWS = process.platform === 'win32';
const names = Object.values(SETTINGS).map(nameOf);

/** One right value of each setting, and wrong ones. */
const VALUES: Readonly<Record<string, readonly [right: unknown, ...wrong: unknown[]]>> = {
  database: ['postgres://reader@db/keyroster', 1],
  host: ['::1', true],
  port: [0, 65_536, '8080', 1.5],
  vendor: ['acme', null],
  workers: ['auto', 0, 257, {}],
  tls_cert: ['cert.pem', 1],
  tls_key: ['key.pem', []],
  admin_key_cache: [60, 61],
  rate_limit: [1_000_000, 1_000_001],
  trust_proxy: [['10.0.0.0/8', '::1'], '10.0.0.0/8', [1], [''], ['10.0.0.0/8,::1']],
  max_admin_key_age: ['365d', 365],
  bearer: [true, 'true', 1],
  also_version: [['2026-10-21'], '2026-10-21', ['2026-10-21,2026-10-22']],
  default_workspace: ['wrkspc_default', null],
  max_connections: [1, 0],
  shutdown_delay: [30, '30'],
  log_level: ['warn', 'WARN', 'loud'],
  metrics_port: [9090, '9090'],
  metrics_host: ['0.0.0.0', 1],
  console: [false, 'no'],
};

describe('a settings file', () => {
  const scope = suiteScope();
  let file: string;
  before(() => {
    file = join(temporaryFolder(scope), 'keyroster.json');
  });
  const config = (content: unknown, ...args: string[]) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
    return runCommand(['config', '--config', file, ...args]);
  };

  test('takes each setting of serve, of the type that its schema says, and no other', async () => {
    const { certFile: tls_cert, keyFile: tls_key } = pairFiles(scope); // they are read, as serve reads them
    const values = Object.fromEntries(Object.entries(VALUES).map(([name, [value]]) => [name, value]));
    const right = { ...values, tls_cert, tls_key };
    assert.deepEqual(Object.keys(right), names);
    for (const content of [right, { host: 'unix:/run/keyroster/serve.sock' }]) {
      const { stdout, stderr } = await config({ $schema: 'config.schema.json', ...content }, '--json');
      assert.equal(stderr, '');
      const shown = JSON.parse(stdout);
      for (const [name, value] of Object.entries(content))
        assert.deepEqual(shown[name], { value, from: 'file', by: file }, name);
    }
    const isValid = new Ajv().compile(settingsSchema());
    assert(isValid(right), JSON.stringify(isValid.errors));
    for (const [name, [, ...wrong]] of Object.entries(VALUES))
      for (const value of wrong) {
        const message = `^keyroster: ${file}: ${name}: must (be|not be) .*\\n$`;
        assertFailed(await config({ [name]: value }), 2, new RegExp(message));
        assert(!isValid({ [name]: value }), `${name}: ${value}`);
      }
  });

  test('is refused with each of its faults, and none of its values', async () => {
    const faults: [unknown, RegExp][] = [
      [
        { rate_limits: 1, log_level: 'INFO' },
        /json: rate_limits: unknown setting, did you mean rate_limit\?; log_level: must be one of .*, did you mean info\?\n/,
      ],
      [
        { wait: '60s', actor: 'a' },
        /json: wait: unknown setting; actor: .*; the settings are those of serve: /,
      ],
      [{ maxConnections: 1 }, /maxConnections: unknown setting, did you mean max_connections\?\n/],
      [
        { 'sk-ven-api03-1secret': 1 },
        /\(unprintable\): unknown setting; the settings are those of serve: database, host, .*/,
      ],
      [{ database: 'mysql://u:secret@db' }, /database: must be sqlite:FILE or postgres:\/\/…\n/],
      ['{"port": 1, "port": 2}', /port: is there more than once\n/],
      ['{"database": "secret', /keyroster\.json: is not JSON: line 1 column \d+\n/],
      ['[]', /keyroster\.json: must be a JSON object\n/],
    ];
    for (const [content, message] of faults) {
      const failed = await config(content);
      assertFailed(failed, 2, message);
      assert.doesNotMatch(failed.stderr, /secret|proxy'/);
    }
    const unknown = Array.from({ length: 20_000 }, (_, index) => [`sk-ven-${index}`, 1]);
    const { stderr } = await config({ port: -1, ...Object.fromEntries(unknown) });
    assert.match(stderr, /json: port: must be a whole number .*; sk-ven-0: unknown setting; .*; and more;/);
    assert(stderr.length < 2000, stderr);
  });

  test('is a regular file of at most 1 MiB in UTF-8, and nothing else is read', {
    timeout: 30_000,
  }, async () => {
    const refused = async (path: string, why: string) => {
      const message = new RegExp(`^keyroster: --config: ${why}\\n$`);
      assertFailed(await runCommand(['config', '--config', path]), 2, message);
    };
    const fifo = `${file}.fifo`;
    if (!IS_WINDOWS) {
      execFileSync('mkfifo', [fifo]);
      await refused(fifo, `can't read ${fifo}: it is not a regular file`);
      await refused('/dev/zero', "can't read /dev/zero: it is not a regular file");
    }
    await refused('', 'the name of the file is empty: leave it out, or name a file');
    await refused('/no/such.json', "can't read /no/such.json: ENOENT.*");
    writeFileSync(file, `{"port": 1}${' '.repeat(2 ** 20)}`);
    await refused(file, `can't read ${file}: it is larger than 1 MiB`);
    writeFileSync(file, Buffer.from('{"host": "caf\xe9"}', 'latin1'));
    await refused(file, `can't read ${file}: it is not in UTF-8`);
  });

  test('may be a pipe that the shell opens, so that a password is in no file', { skip: IS_WINDOWS }, () => {
    const read = (command: string) => {
      const line = `${command} | "$NODE" "$BIN" config --json --config /dev/stdin`;
      const { env } = spawnOptions({ env: { NODE: process.execPath, BIN: BINS.keyroster } });
      return spawnSync('sh', ['-c', line], { env, encoding: 'utf8', timeout: 30_000 });
    };
    assert.equal(JSON.parse(read(`echo '{"port": 9999}'`).stdout).port.value, 9999);
    const tooLarge = "keyroster: --config: can't read /dev/stdin: it is larger than 1 MiB\n";
    assert.equal(read('yes').stderr, tooLarge);
  });

  test('is warned of when it has a password and everyone may read it', async () => {
    const password = { database: 'postgres://reader:secret@db/keyroster' };
    assert.equal((await config(password)).stderr, '');
    const open = `${file}.open`;
    const warning = `every user of this machine may read ${open}, which has a password: chmod o= ${open}`;
    for (const [content, expected] of [
      [password, `keyroster: warning: ${warning}\n`],
      [{ database: 'postgres://reader@db/keyroster' }, ''],
    ] as const) {
      writeFileSync(open, JSON.stringify(content));
      chmodSync(open, 0o644); // whatever the umask is
      const { stderr, stdout } = await runCommand(['config'], { env: { KEYROSTER_CONFIG: open } });
      assert.equal(stderr, expected);
      assert.doesNotMatch(stdout, /secret/);
    }
  });

  test('is for every command over the store', async () => {
    const { env, url } = await embeddedStore(scope);
    writeFileSync(file, JSON.stringify({ database: url, vendor: 'acme', port: 1 }));
    const { stdout } = await runCommand(['organizations', 'list', '--config', file]);
    const id = stdout.slice(0, stdout.indexOf('\t'));
    const create = ['admin-keys', 'create', '--organization', id, '--config', file];
    assert.match((await runCommand(create)).stdout, /\tacme-admin01-/);
    const elsewhere = { KEYROSTER_DATABASE_URL: `${env.KEYROSTER_DATABASE_URL}.none` };
    assertFailed(await runCommand(create, { env: elsewhere }), 1, /there is no file .*\.none/);
  });

  test('is what workers have that start later, whatever is in it then', async () => {
    const { url } = await embeddedStore(scope);
    writeFileSync(file, JSON.stringify({ database: url, port: 0, workers: 2, console: false }));
    const service = startKeyroster(scope, ['serve', '--config', file]);
    const [, pid] = await service.line(/"msg":"worker 2 serves, with PID (\d+)"/);
    writeFileSync(file, 'not JSON');
    process.kill(Number(pid), 'SIGKILL');
    await service.line(new RegExp(`"msg":"worker 2 serves, with PID (?!${pid}")`));
    assert.doesNotMatch(service.output(), /console/);
    assert.equal((await service.stop()).exitCode, 0);
  });
});

test('docs/config.schema.json is what the code generates (npm run config-schema)', () => {
  assert.equal(read('docs/config.schema.json'), `${JSON.stringify(settingsSchema(), null, 2)}\n`);
});

test('docs/operations.md has each setting, with its variable and its default', () => {
  const rows = read('docs/operations.md').split('\n');
  for (const setting of Object.values(SETTINGS) as Setting<unknown>[]) {
    const row = rows.find(line => line.startsWith(`| \`${flagOf(setting)}\``)) ?? '';
    const { byDefault } = setting;
    assert(row.includes(`\`${variableOf(setting)}\``), flagOf(setting));
    if (typeof byDefault !== 'boolean')
      assert(row.includes(`| \`${byDefault}\` |`) === (byDefault !== undefined), row);
  }
});
