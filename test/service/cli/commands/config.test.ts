import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import { temporaryFolder } from '../../../support/scope.ts';

test('a flag wins over a variable, that over the file, and that over the default; config says which it was', async t => {
  const file = join(temporaryFolder(t), 'keyroster.json');
  const content = { host: '10.0.0.1', port: 1, rate_limit: 2, bearer: true, console: false };
  writeFileSync(file, JSON.stringify(content));
  const env = {
    KEYROSTER_CONFIG: file,
    KEYROSTER_PORT: '3',
    KEYROSTER_RATE_LIMIT: '4',
    KEYROSTER_BEARER: 'no',
    KEYROSTER_NO_CONSOLE: 'no',
  };
  const { stdout, exitCode } = await runCommand(['config', '--rate-limit', '5'], { env });
  assert.equal(exitCode, 0);
  const rows = stdout.split('\n').map(line => line.split('\t'));
  const shown = (...names: string[]) => rows.filter(([name = '']) => names.includes(name));
  assert.deepEqual(
    shown('database', 'host', 'port', 'rate_limit', 'bearer', 'console', 'max_connections', 'tls_cert'),
    [
      ['database', 'sqlite:data/keyroster.db', 'default'],
      ['host', '10.0.0.1', `file ${file}`],
      ['port', '3', 'variable KEYROSTER_PORT'],
      ['tls_cert', 'plain HTTP', 'default'],
      ['rate_limit', '5', 'flag --rate-limit'],
      ['bearer', 'false', 'variable KEYROSTER_BEARER'],
      ['max_connections', '5000', 'default'],
      ['console', 'true', 'variable KEYROSTER_NO_CONSOLE'],
    ],
  );
});

test("config says why it can't tell the store's ID, as before the first migrate", async t => {
  const database = `sqlite:${temporaryFolder(t)}/keyroster.db`;
  const { stdout } = await runCommand(['config', '--database', database]);
  assert.match(
    stdout,
    /^store\tdatabase: there is no file .*: run "keyroster migrate" to create it\tdatabase$/m,
  );
});

test("config hides the password of the database's URL and nothing else, wherever it stands", async () => {
  const shown: [url: string, shown: string][] = [
    [
      'postgres://reader:s3:cr@et@db1:1,db2:2/k?sslmode=disable',
      'postgres://reader:…@db1:1,db2:2/k?sslmode=disable',
    ],
    ['postgres://rea@der:secret@db/k', 'postgres://rea@der:…@db/k'],
    [
      'postgres://db/k?user=reader&password=secret&sslmode=disable',
      'postgres://db/k?user=reader&password=…&sslmode=disable',
    ],
    ['postgres://reader@db:5432/k', 'postgres://reader@db:5432/k'],
    // What isn't used as the user is a password that was put there.
    [
      'postgres://u@db/k?application_name=x?password=secret&password=secret',
      'postgres://u@db/k?application_name=x?password=…&password=…',
    ],
    ['postgres://secret@db/k?user=reader', 'postgres://…@db/k?user=reader'],
    ['postgres://x:secret@db/k?sslmode=disable&user=reader', 'postgres://…@db/k?sslmode=disable&user=reader'],
    ['sqlite:data/a:b@c.db', 'sqlite:data/a:b@c.db'],
  ];
  for (const [url, text] of shown) {
    const { stdout } = await runCommand(['config', '--database', url, '--json']);
    assert.deepEqual(JSON.parse(stdout).database, { value: text, from: 'flag', by: '--database' });
  }
  const malformed = await runCommand(['config', '--database', 'postgres://reader:sec/ret@db/k']);
  assertFailed(malformed, 1, /^keyroster: database: the URL is malformed/);
});

test('config refuses what serve refuses, and names the flag or the variable', async () => {
  const host = /^keyroster: --host: must be a name or an address, or unix: and the absolute path/;
  const database = /^keyroster: --database: must be sqlite:FILE or postgres:\/\/…\n/;
  const file = /^keyroster: --tls-cert: must be the path of a file\n/;
  const samePort = /^keyroster: KEYROSTER_METRICS_PORT: must be another port than that of the service\n/;
  const wrong: [line: string[], message: RegExp, env?: Record<string, string>][] = [
    [[], /KEYROSTER_LOG_LEVEL: must be one of .*, did you mean info\?\n/, { KEYROSTER_LOG_LEVEL: 'INFO' }],
    [['--max-connections', '0'], /--max-connections: must be a whole/, { KEYROSTER_MAX_CONNECTIONS: '1' }],
    [[], /KEYROSTER_MAX_CONNECTIONS: must be a whole number/, { KEYROSTER_MAX_CONNECTIONS: '0' }],
    ...['a\u007fb', 'postgres://u:secret@h/d', 'u@h', 'a b', 'unix:/a\nb'].map(
      (value): [string[], RegExp] => [['--host', value], host],
    ),
    [[], /_METRICS_HOST: must be a name or an address\n/, { KEYROSTER_METRICS_HOST: 'u:secret@h' }],
    ...['sqlite:a\nb', 'sqlite:postgres://u:secret@h/d', 'postgres://u:secret@h/d\u0007'].map(
      (value): [string[], RegExp] => [['--database', value], database],
    ),
    ...['a\nb', 'https://u:secret@h/cert.pem', ' '].map((value): [string[], RegExp] => [
      ['--tls-cert', value, '--tls-key', 'key.pem'],
      file,
    ]),
    [['--port', '80a'], /^keyroster: --port: must be a whole number from 0 to 65535\n/],
    [['--tls-key', 'key.pem'], /--tls-key: has no meaning without tls_cert\n/],
    [[], /KEYROSTER_TLS_CERT: has no meaning without tls_key\n/, { KEYROSTER_TLS_CERT: 'cert.pem' }],
    ...[[], ['--host', '0.0.0.0'], ['--host', '::1', '--metrics-host', '::1']].map(
      (hosts): (typeof wrong)[number] => [
        ['--port', '9090', ...hosts],
        samePort,
        { KEYROSTER_METRICS_PORT: '9090' },
      ],
    ),
    [['--metrics-host', '::1'], /--metrics-host: has no meaning without metrics_port\n/],
  ];
  for (const [line, message, env = {}] of wrong)
    assertFailed(await runCommand(['config', ...line], { env }), 2, message);
  const apart = ['--port', '9090', '--metrics-port', '9090', '--metrics-host', '127.0.0.2'];
  for (const args of [apart, ['--port', '0', '--metrics-port', '0']])
    assert.equal((await runCommand(['config', ...args])).exitCode, 0);
  const absent = await runCommand(['config', '--tls-cert', 'no.pem', '--tls-key', 'no.pem']);
  assertFailed(absent, 1, /^keyroster: --tls-cert: can't read no\.pem/);
});
