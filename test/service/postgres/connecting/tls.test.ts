import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explanationOf } from '../../../../src/service/postgres/connecting/not-connected.ts';
import { tlsWarning } from '../../../../src/service/postgres/connecting/tls.ts';
import { parsePostgresUrl } from '../../../../src/service/postgres/connecting/url.ts';
import { Refused } from '../../../../src/shared/record/faults.ts';
import { keyroster, startKeyroster } from '../../../support/command-line.ts';
import { newStore } from '../../../support/opened.ts';
import { storeAt } from '../../../support/store-at.ts';

const REMEDY = 'add sslmode=verify-full to the URL (docs/postgresql.md#tls)';
const NOT_ENCRYPTED = `the connection to PostgreSQL is not encrypted: ${REMEDY}`;
const NOT_CHECKED = `the certificate of PostgreSQL is not checked: ${REMEDY}`;

const warnings: readonly [warning: string | null, ...urls: string[]][] = [
  [
    NOT_ENCRYPTED,
    'postgres://u:secret@db.example.com/k',
    'postgres://u:secret@10.0.0.7:5432/k',
    'postgres://u:secret@localhost.example.com/k',
    'postgres://u:secret@localhost/k?host=db.example.com',
    'postgres://u:secret@db.example.com/k?sslmode=disable',
    'postgres://u:secret@localhost,db.example.com/k',
  ],
  [NOT_CHECKED, 'postgres://u:secret@db.example.com/k?sslmode=no-verify'],
  [
    null,
    'postgres://u:secret@db.example.com/k?sslmode=verify-full',
    'postgres://u:secret@db.example.com/k?sslmode=require',
    'postgres://u:secret@localhost/k',
    'postgres://u:secret@127.0.0.1/k',
    'postgres://u:secret@[::1]/k',
    'postgres://u:secret@/k?host=/var/run/postgresql',
    'postgres:///k',
  ],
];

describe('a connection to PostgreSQL', () => {
  test('is warned about where it leaves the machine and is not encrypted, or its certificate is not checked', () => {
    for (const [warning, ...urls] of warnings)
      for (const url of urls) assert.equal(tlsWarning(parsePostgresUrl(url, {})), warning, url);
  });

  test('is never unencrypted where TLS is asked for: a PostgreSQL without TLS is refused', async t => {
    const { url } = await newStore(t);
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])
      await assert.rejects(
        storeAt(`${url}?sslmode=${mode}`).openReader(),
        new Refused(
          `database: ${new URL(url).host}: PostgreSQL has no TLS: turn "ssl" on in its settings; nothing was changed`,
          { mayPass: true },
        ),
      );
  });

  test('whose certificate is refused says why, and what to do', () => {
    const explained = {
      SELF_SIGNED_CERT_IN_CHAIN:
        /\(SELF_SIGNED_CERT_IN_CHAIN\): sslrootcert in the URL names the file of its CA$/,
      CERT_HAS_EXPIRED: /\(CERT_HAS_EXPIRED\)/,
      ERR_TLS_CERT_ALTNAME_INVALID: /is for another host: use a name in the URL that the certificate has$/,
    };
    for (const [code, message] of Object.entries(explained)) {
      const error = Object.assign(new Error('of the driver'), { code });
      assert.match(explanationOf(error, parsePostgresUrl('postgres://db')), message);
    }
  });

  // To the code 0.0.0.0 is a host like any other; to the operating system it is this machine.
  test('that is not encrypted is warned about once by a command, and by serve in its log', async t => {
    const url = Object.assign(new URL((await newStore(t)).url), { hostname: '0.0.0.0' }).href;
    const env = { KEYROSTER_DATABASE_URL: url };
    const stderr = `keyroster: warning: ${NOT_ENCRYPTED}\n`;
    for (const args of [['migrate'], ['organizations', 'list', '--json']]) {
      const finished = await keyroster(args, { env });
      assert.deepEqual([finished.exitCode, finished.stderr], [0, stderr]);
    }
    const serving = startKeyroster(t, ['serve', '--port', '0'], { env });
    const [line] = await serving.line(/.*encrypted.*/);
    const { level, msg } = JSON.parse(line);
    assert.deepEqual({ level, msg }, { level: 40, msg: NOT_ENCRYPTED });
    await serving.line(/listening on/);
    assert.ok(!serving.output().includes(new URL(url).password));
  });
});
