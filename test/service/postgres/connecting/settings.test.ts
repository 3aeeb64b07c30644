/** What the URL and the environment set, as PostgreSQL sees it. The table is that of docs/postgresql.md. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { parsePostgresUrl } from '../../../../src/service/postgres/connecting/url.ts';
import { connect } from '../../../../src/service/postgres/connection.ts';
import { type OwnPostgres, ownPostgres } from '../../../support/own-postgres.ts';
import { atEndOf, suiteScope, temporaryFolder } from '../../../support/scope.ts';

const SQL = `
  CREATE ROLE member LOGIN PASSWORD 'its: p@ssw/rd';
  CREATE ROLE other LOGIN PASSWORD 'its: p@ssw/rd'`;

const PASSWORD = encodeURIComponent('its: p@ssw/rd');

const SESSION = `SELECT current_user AS role, current_database() AS database, application_name AS application,
    current_setting('work_mem') AS work_mem, ssl::text
  FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE pid = pg_backend_pid()`;

describe('a connection to PostgreSQL has what its URL and the environment say:', () => {
  const scope = suiteScope();
  let server: OwnPostgres;
  let ca: string;
  let folder: string;
  before(async () => {
    folder = temporaryFolder(scope);
    ca = join(folder, 'ca.pem');
    server = await ownPostgres(scope, ['host all member,other all scram-sha-256'], SQL);
    writeFileSync(ca, server.pair.cert);
  });

  const DEFAULT = {
    role: 'member',
    database: 'postgres',
    application: 'keyroster',
    work_mem: '4MB',
    ssl: 'false',
  };
  type Settings = Record<string, string>;
  const matrix: Record<string, () => [url: string, environment: Settings, changes?: Settings]> = {
    'all in the environment': () => ['postgres://', environment()],
    'the URL wins': () => [
      `postgres://member:${PASSWORD}@127.0.0.1:${server.port}/postgres?sslmode=disable&application_name=mine&options=-c%20work_mem%3D5MB`,
      {
        PGHOST: 'absent.invalid',
        PGPORT: '1',
        PGUSER: 'other',
        PGPASSWORD: 'wrong',
        PGDATABASE: 'absent',
        PGSSLMODE: 'verify-full',
        PGAPPNAME: 'theirs',
        PGOPTIONS: '-c work_mem=6MB',
        PGTARGETSESSIONATTRS: 'any',
      },
      { application: 'mine', work_mem: '5MB' },
    ],
    'sslmode=verify-full and sslrootcert': () => [
      `postgres://member:${PASSWORD}@localhost:${server.port}/postgres?sslmode=verify-full&sslrootcert=${ca}`,
      {},
      { ssl: 'true' },
    ],
  };
  for (const [what, settings] of Object.entries(matrix)) {
    test(what, async () => {
      const [url, variables, changes = {}] = settings();
      assert.deepEqual(await sessionOf(url, variables), { ...DEFAULT, ...changes });
    });
  }

  test('a password of the file that PGPASSFILE names, where neither has one', async t => {
    const file = join(folder, 'pgpass');
    writeFileSync(
      file,
      `localhost:${server.port}:*:other:wrong\nlocalhost:${server.port}:*:member:its\\: p@ssw/rd\n`,
    );
    chmodSync(file, 0o600);
    const before = process.env.PGPASSFILE;
    process.env.PGPASSFILE = file;
    atEndOf(t, () => {
      if (before === undefined) delete process.env.PGPASSFILE;
      else process.env.PGPASSFILE = before;
    });
    assert.deepEqual(await sessionOf(`postgres://member@localhost:${server.port}/postgres`, {}), DEFAULT);
    await assert.rejects(
      sessionOf(`postgres://member@127.0.0.1:${server.port}/postgres`, {}),
      /PostgreSQL asks for a password/,
    );
  });

  function environment(): Settings {
    return {
      PGHOST: '127.0.0.1',
      PGPORT: String(server.port),
      PGUSER: 'member',
      PGPASSWORD: 'its: p@ssw/rd',
      PGDATABASE: 'postgres',
    };
  }

  async function sessionOf(url: string, variables: Settings): Promise<unknown> {
    const client = await connect(parsePostgresUrl(url, variables), { maxAnswerBytes: 2 ** 20 });
    const { rows } = await client.query(SESSION);
    await client.end();
    return { ...rows[0] };
  }
});
