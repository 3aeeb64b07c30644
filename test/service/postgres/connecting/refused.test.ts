/** Why a connection isn't opened, in words that say what to do, whatever the driver and PostgreSQL say. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { connect as connectTo } from '../../../../src/service/postgres/connecting/connection.ts';
import { parsePostgresUrl } from '../../../../src/service/postgres/connecting/url.ts';
import { makePair } from '../../../support/certificate.ts';
import { connect } from '../../../support/connect.ts';
import { freePort } from '../../../support/free-port.ts';
import { type OwnPostgres, ownPostgres } from '../../../support/own-postgres.ts';
import { runSql } from '../../../support/run-sql.ts';
import { atEndOf, type Scope, suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { storeAt } from '../../../support/store-at.ts';

const HBA = [
  'hostssl all tls_only all scram-sha-256',
  'hostssl all with_certificate all scram-sha-256 clientcert=verify-ca',
  'host all absent_but_trusted all trust',
  'host all member all scram-sha-256',
];

const SQL = `
  CREATE ROLE member LOGIN PASSWORD 'secret';
  CREATE ROLE tls_only LOGIN PASSWORD 'secret';
  CREATE ROLE with_certificate LOGIN PASSWORD 'secret'`;

/** Each can't be in a transaction. */
const SETTINGS = [
  "ALTER SYSTEM SET ssl_ca_file = 'server.crt'",
  'CREATE DATABASE restricted',
  'REVOKE CONNECT ON DATABASE restricted FROM PUBLIC',
  'SELECT pg_reload_conf()',
];

describe('a connection to PostgreSQL that is refused says why:', () => {
  const scope = suiteScope();
  let server: OwnPostgres;
  let folder: string;
  before(async () => {
    server = await ownPostgres(scope, HBA, SQL);
    for (const sql of SETTINGS) await runSql(`${server.url}/postgres`, sql);
    folder = temporaryFolder(scope);
    writeFileSync(join(folder, 'ca.pem'), server.pair.cert);
    writeFileSync(join(folder, 'other.pem'), makePair().cert);
    writeFileSync(join(folder, 'bad.pem'), 'secret');
  });

  const at = (login: string, rest = '') => `postgres://${login}@127.0.0.1:${server.port}/postgres${rest}`;
  const refusals: Record<string, [url: () => string, reason: RegExp]> = {
    'a wrong password': [() => at('member:wr0ng'), /^PostgreSQL refused the user or the password$/],
    'a role that is absent': [() => at('absent_but_trusted'), /^there is no such role, or it has no LOGIN$/],
    'no password': [
      () => at('member'),
      /^PostgreSQL asks for a password: put it into the URL, PGPASSWORD or /,
    ],
    'a user that must use TLS': [
      () => at('tls_only:secret'),
      /^pg_hba\.conf has no line that .* without TLS: add sslmode=verify-full to the URL, or a line/,
    ],
    'a user that must show a certificate': [
      () => at('with_certificate:secret', `?sslrootcert=${folder}/ca.pem`),
      /^pg_hba\.conf has no line that .* with TLS: add one, or sslcert and sslkey if it asks for a client certificate$/,
    ],
    'a database that is absent': [
      () => at('member:secret').replace(/postgres$/, 'absent'),
      /^there is no database absent: create it first$/,
    ],
    'a database that the role may not connect to': [
      () => at('member:secret').replace(/postgres$/, 'restricted'),
      /GRANT CONNECT ON DATABASE/,
    ],
    'a certificate of another CA': [
      () => at('tls_only:secret', `?sslmode=verify-full&sslrootcert=${folder}/other.pem`),
      /^the certificate of PostgreSQL is refused \(\w+\): sslrootcert/,
    ],
    'a file of a certificate that is none': [
      () => at('member:secret', `?sslmode=no-verify&sslcert=${folder}/bad.pem&sslkey=${folder}/bad.pem`),
      /^TLS failed \(ERR_OSSL_\w+\): check the files of sslrootcert, sslcert and sslkey/,
    ],
    'a host that is absent': [
      () => 'postgres://member:secret@absent.invalid/postgres',
      /^can't reach PostgreSQL \((ENOTFOUND|EAI_AGAIN)\)/,
    ],
    'a folder without a socket': [
      () => `postgres://member:secret@/postgres?host=${folder}`,
      /^there is no Unix socket of PostgreSQL in this folder: /,
    ],
  };
  for (const [what, [url, reason]] of Object.entries(refusals)) {
    test(what, () => assertRefused(url(), reason));
  }

  test('no password, unless the file that PGPASSFILE names has one', async t => {
    const file = join(folder, 'pgpass');
    writeFileSync(file, `127.0.0.1:${server.port}:*:other:wr0ng\n127.0.0.1:${server.port}:*:member:secret\n`);
    chmodSync(file, 0o600);
    const before = process.env.PGPASSFILE;
    process.env.PGPASSFILE = file;
    atEndOf(t, () => {
      if (before === undefined) delete process.env.PGPASSFILE;
      else process.env.PGPASSFILE = before;
    });
    const client = await connectTo(parsePostgresUrl(at('member'), {}), { maxAnswerBytes: 2 ** 20 });
    await client.end();
    const url = at('member').replace('127.0.0.1', 'localhost');
    await assertRefused(url, /^PostgreSQL asks for a password/);
  });

  test('nothing that listens, also where the host has two addresses', async () => {
    const port = await freePort();
    for (const host of ['127.0.0.1', 'localhost'])
      await assertRefused(
        `postgres://u:secret@${host}:${port}/k`,
        /^can't reach PostgreSQL \(ECONNREFUSED\): check the host and the port of the URL/,
      );
  });

  test('a server of another protocol', async t => {
    const http = createHttpServer((_, response) => response.end('hello'));
    const mail = createServer(socket => socket.end('220 mail.example.com\r\n'));
    for (const port of [await portOf(t, http), await portOf(t, mail)])
      for (const mode of ['disable', 'verify-full'])
        await assertRefused(
          `postgres://u:secret@127.0.0.1:${port}/k?sslmode=${mode}`,
          /^(what answers is not PostgreSQL|the connection was closed .*): check .*the port of the URL/,
        );
  });

  test('a server that never answers, once the connect_timeout is over', async t => {
    const silent = createServer(socket => socket.resume());
    const port = await portOf(t, silent);
    await assertRefused(
      `postgres://u:secret@127.0.0.1:${port}/k?connect_timeout=1`,
      /^no answer within 1 s \(connect_timeout\): check the host, the port and the firewalls between$/,
    );
  });

  test('a server that is starting or stopping', async () => {
    // It stops once this one has ended, and until then it takes no other.
    const held = await connect({ after: () => {} }, `${server.url}/postgres`);
    held.on('error', () => {});
    const { rows } = await held.query("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid");
    process.kill(Number(rows[0].pid), 'SIGTERM');
    try {
      await assertRefused(
        at('member:secret'),
        /^PostgreSQL is starting, stopping or recovering: try again when it is up$/,
      );
    } finally {
      await held.end();
      await server.kill('SIGINT');
      await server.start();
    }
  });
});

async function assertRefused(url: string, reason: RegExp): Promise<void> {
  await assert.rejects(storeAt(url).migrate(), ({ name, message }: Error) => {
    assert.equal(name, 'Refused', message);
    const [, why = ''] =
      /^database: (?:[\w.]+:\d+: |\/\S+: )?(.*?); nothing was changed$/.exec(message) ?? [];
    assert.match(why, reason);
    return !/secret|wr0ng/.test(message);
  });
}

async function portOf(scope: Scope, server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('connection', socket => sockets.add(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEndOf(scope, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
