import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import {
  forWriting,
  type PostgresUrl,
  parsePostgresUrl,
} from '../../../../src/service/postgres/connecting/url.ts';
import { Refused } from '../../../../src/shared/record/faults.ts';

type Environment = Record<string, string>;

const EXAMPLE = {
  hosts: [{ host: 'db', port: 5432 }],
  user: 'u',
  database: 'k',
  ssl: { mode: 'disable', rootCert: undefined, cert: undefined, key: undefined },
  sessionAttrs: undefined,
  connectTimeoutMs: 3000,
  applicationName: 'keyroster',
  options: undefined,
} satisfies Partial<PostgresUrl>;

const at = (host: string, port = 5432) => ({ host, port });

/** What each form changes in the example. */
const forms: [url: string, environment: Environment, changes: Partial<PostgresUrl>, password?: string][] = [
  ['postgres://u:p@db/k', {}, {}, 'p'],
  ['postgres://u@db/k', {}, {}],
  ['postgres://u%40x:a:b@c%2Fd%25@db/k%2F1', {}, { user: 'u@x', database: 'k/1' }, 'a:b@c/d%'],
  ['postgres://u@db', {}, { database: 'u' }],
  [
    'postgres://u@h1:6000,h2,[::1]:6002,10.0.0.7:6003/k',
    {},
    { hosts: [at('h1', 6000), at('h2'), at('::1', 6002), at('10.0.0.7', 6003)] },
  ],
  ['postgres://u@%2Fvar%2Frun%2Fpostgresql/k', {}, { hosts: [at('/var/run/postgresql')] }],
  ['postgres://u@/k?host=/var/run/postgresql', {}, { hosts: [at('/var/run/postgresql')] }],
  [
    'postgres:///?host=h1,h2&port=6001&dbname=k&user=u&password=p',
    {},
    { hosts: [at('h1', 6001), at('h2', 6001)] },
    'p',
  ],
  [
    'postgres://u@db/k?sslrootcert=/ca.pem',
    {},
    { ssl: { ...EXAMPLE.ssl, mode: 'verify-full', rootCert: '/ca.pem' } },
  ],
  [
    'postgres://',
    { PGHOST: 'db', PGPORT: '6000', PGUSER: 'u', PGPASSWORD: 'p', PGDATABASE: 'k' },
    { hosts: [at('db', 6000)] },
    'p',
  ],
  ['postgres:///k', { PGHOST: '', PGPORT: '', PGUSER: 'u', PGSSLMODE: '' }, { hosts: [at('localhost')] }],
  ['postgres://u@db:5432/k', { PGHOST: 'other', PGPORT: '6000', PGUSER: 'other', PGDATABASE: 'other' }, {}],
  [
    'postgres://u@db/k',
    { PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/ca', PGSSLCERT: '/c', PGSSLKEY: '/k' },
    { ssl: { ...EXAMPLE.ssl, mode: 'verify-full', rootCert: '/ca', cert: '/c', key: '/k' } },
  ],
  [
    'postgres://u@db/k',
    { PGCONNECT_TIMEOUT: '7', PGTARGETSESSIONATTRS: 'standby', PGAPPNAME: 'a', PGOPTIONS: '-c x=1' },
    { connectTimeoutMs: 7000, sessionAttrs: 'standby', applicationName: 'a', options: '-c x=1' },
  ],
  ['postgres://u@db/k', { PGSERVICE: 's', PGHOSTADDR: '10.0.0.1', PGCLIENTENCODING: 'LATIN1' }, {}],
];

const MALFORMED = 'the URL is malformed: percent-encode the special characters of its password';
const HOSTS =
  'the hosts of the URL must be HOST or HOST:PORT, with a comma between several; an IPv6 address stands in brackets, ' +
  'the folder of a socket in the parameter host. Percent-encode the special characters of a password';
const UNKNOWN_PARAMETER =
  'unknown parameter of the URL; the parameters are host, port, dbname, user, password, sslmode, sslrootcert, ' +
  'sslcert, sslkey, target_session_attrs, connect_timeout, application_name, options';

const HOST = 'host of the URL: must be a host, or several with commas between them';
const TEXT = 'must have a character and no control character, such as a line break';

const SSLMODES = 'must be one of disable, no-verify, prefer, require, verify-ca, verify-full';

type Refusal = [url: string, message: string, environment?: Environment];

const refusals: Refusal[] = [
  ['postgres://u:half/secret@db/k', MALFORMED],
  ['postgres://u:12?secret@db/k', MALFORMED],
  ['postgres://u@db:secret/k', HOSTS],
  ['postgres://u@h1,,h2/k', HOSTS],
  ['postgres://u@db/k?sslmode', MALFORMED],
  ['postgres://u@db/k?sslmod=secret', 'sslmod: unknown parameter of the URL, did you mean sslmode?'],
  ['postgres://u:12?secret=5@db/k', MALFORMED],
  ['postgres://u@db/k?password=12&secret=5', `(unprintable): ${UNKNOWN_PARAMETER}`],
  ['postgres://u@db/k?sslmode=verify-ful', `sslmode of the URL: ${SSLMODES}`],
  ['postgres://u@db/k?pgbouncer=secret', `pgbouncer: ${UNKNOWN_PARAMETER}`],
  ['postgres://u@db/k', `PGSSLMODE: ${SSLMODES}`, { PGSSLMODE: 'required' }],
  ['postgres://u@db/k?sslmode=disable&sslmode=require', 'sslmode: is twice in the URL'],
  [
    'postgres://u@db/k?connect_timeout=0',
    'connect_timeout of the URL: must be a whole number of seconds from 1 to 600',
  ],
  ['postgres://u@db:0/k', 'port of the URL: must be a whole number from 1 to 65535, or one for each host'],
  ['postgres://u@db/k?host=a%20b', HOST],
  ['postgres://u@[::1:5:secret]/k', HOSTS],
  ['postgres://u@db/k?application_name=', `application_name of the URL: ${TEXT}`],
  ['postgres://u@db/k\n', `dbname of the URL: ${TEXT}`],
  ['postgres://u:secret%00@db/k', `password of the URL: ${TEXT}`],
  ['postgres://u@db/k', `PGPASSWORD: ${TEXT}`, { PGPASSWORD: 'secret\n' }],
];

describe("PostgreSQL's URL", () => {
  for (const [url, environment, changes, password] of forms) {
    const set = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    test(`is understood: ${[url, ...set].join(' ')}`, () => {
      const parsed = parsePostgresUrl(url, environment);
      const { password: secret, ...others } = parsed;
      assert.deepEqual(others, { ...EXAMPLE, ...changes });
      assert.equal(secret?.(), password);
    });
  }

  for (const [url, message, environment = {}] of refusals) {
    test(`is refused without its values: ${url}`, () => {
      assert.throws(() => parsePostgresUrl(url, environment), new Refused(`database: ${message}`));
      assert.ok(!message.includes('secret'));
    });
  }

  test('without a user is of the user that the process runs as', () => {
    const { user, database } = parsePostgresUrl('postgres://db', {});
    assert.deepEqual([user, database], [process.env.USER ?? user, user]);
  });

  test('does not show its password when it is printed', () => {
    const parsed = parsePostgresUrl('postgres://u:s3cret@db/k', {});
    assert.ok(!inspect(parsed, { depth: null }).includes('s3cret'));
    assert.ok(!JSON.stringify(parsed).includes('s3cret'));
  });

  test('asks for a server that takes writes where a command writes, unless it says which one it wants', () => {
    const writing = (url: string) => forWriting(parsePostgresUrl(url, {})).sessionAttrs;
    assert.equal(writing('postgres://db'), 'read-write');
    assert.equal(writing('postgres://db?target_session_attrs=any'), 'any');
  });
});
