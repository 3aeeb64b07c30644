import { test } from 'node:test';
import { flagOf, type Setting, variableOf } from '../../../src/service/serving-settings.ts';
import { SETTINGS, type SettingName } from '../../../src/service/settings.ts';
import { pairFiles } from '../../support/certificate.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import { temporaryFolder } from '../../support/scope.ts';

test('serve takes each setting from its flag and from its variable, of which the flag wins', async t => {
  const database = `sqlite:${temporaryFolder(t)}/none.db`; // right settings end at a store that isn't there
  const { certFile, keyFile } = pairFiles(t);
  const right: Readonly<Record<SettingName, string>> = {
    database,
    host: 'unix:/run/keyroster/serve.sock',
    port: '0',
    vendor: 'acme',
    workers: '1',
    tlsCert: certFile,
    tlsKey: keyFile,
    adminKeyCache: '60',
    rateLimit: '1000000',
    trustedProxies: '10.0.0.0/8, ::1',
    maxAdminKeyAge: '365d',
    bearer: 'true',
    versions: '2026-10-21',
    defaultWorkspace: 'wrkspc_default',
    maxConnections: '1',
    shutdownDelay: '30',
    logLevel: 'warn',
    metricsPort: '9090',
    metricsHost: '0.0.0.0',
    console: 'true',
  };
  const each = Object.entries(SETTINGS) as [SettingName, Setting<unknown>][];
  const flags = each.flatMap(([name, setting]) =>
    setting.flags.includes(' ') ? [flagOf(setting), right[name]] : [flagOf(setting)],
  );
  const variables = (value?: string) =>
    Object.fromEntries(each.map(([name, setting]) => [variableOf(setting), value ?? right[name]]));
  const apart = ['--port', '9090', '--metrics-port', '9090', '--metrics-host', '127.0.0.2'];
  const lines: [line: string[], env: Record<string, string>][] = [
    [[], variables()],
    [flags, variables('wrong')],
    [[...apart, '--database', database], {}],
    [['--port', '0', '--metrics-port', '0', '--database', database], {}],
  ];
  for (const [line, env] of lines)
    assertFailed(await runCommand(['serve', ...line], { env }), 1, /: database: there is no file .*none\.db/);
});

test('serve refuses a wrong setting, and names the flag or the variable', async () => {
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
    [
      ['--also-version', '2026-10-21'],
      /--also-version: 2026-10-21 shows .* give it in --default-workspace\n/,
    ],
    [['--tls-key', 'key.pem'], /--tls-key: has no meaning without --tls-cert\n/],
    [[], /KEYROSTER_TLS_CERT: has no meaning without --tls-key\n/, { KEYROSTER_TLS_CERT: 'cert.pem' }],
    ...[[], ['--host', '0.0.0.0'], ['--host', '::1', '--metrics-host', '::1']].map(
      (hosts): (typeof wrong)[number] => [
        ['--port', '9090', ...hosts],
        samePort,
        { KEYROSTER_METRICS_PORT: '9090' },
      ],
    ),
    [['--metrics-host', '::1'], /--metrics-host: has no meaning without --metrics-port\n/],
  ];
  for (const [line, message, env = {}] of wrong)
    assertFailed(await runCommand(['serve', ...line], { env }), 2, message);
  const absent = await runCommand(['serve', '--tls-cert', 'no.pem', '--tls-key', 'no.pem']);
  assertFailed(absent, 1, /^keyroster: --tls-cert: can't read no\.pem/);
});
