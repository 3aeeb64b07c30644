import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { SessionAttrs } from '../../../src/postgres/connecting/parameters.ts';
import { parsePostgresUrl } from '../../../src/postgres/connecting/url.ts';
import { connect } from '../../../src/postgres/connection.ts';
import { freePort } from '../../support/free-port.ts';
import { type PostgresServer, startPostgres, startStandby } from '../../support/postgres.ts';
import { createOrganization } from '../../support/roster.ts';
import { runCommand } from '../../support/run-many-commands.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf, suiteScope } from '../../support/scope.ts';
import { startService } from '../../support/service.ts';
import { startStallingProxy } from '../../support/stalling-proxy.ts';
import { storeAt } from '../../support/store-at.ts';

const MAX_RECOVERY_MS = 20_000;

describe('a URL with several hosts', () => {
  const scope = suiteScope();
  let primary: PostgresServer;
  let standby: PostgresServer;
  let secret: string;
  before(async () => {
    primary = await startPostgres();
    atEndOf(scope, () => primary.stop());
    const store = storeAt(`${primary.url}/postgres`);
    await store.migrate();
    const writer = await store.openWriter();
    ({ secret } = await createOrganization(writer));
    await writer.close();
    await primary.kill('SIGINT');
    standby = await startStandby(primary, primary.port);
    atEndOf(scope, () => standby.stop());
    await primary.start();
  });

  const urlOf = (ports: readonly number[], rest = '', user = 'postgres') => {
    const { password } = new URL(primary.url);
    return `postgres://${user}:${password}@${ports.map(port => `127.0.0.1:${port}`)}/postgres${rest}`;
  };
  const portFor = async (url: string) => {
    const client = await connect(parsePostgresUrl(url, {}), { maxAnswerBytes: 2 ** 20 });
    const { rows } = await client.query('SELECT inet_server_port() AS port');
    await client.end();
    return Number(rows[0].port);
  };

  const found: Record<SessionAttrs, 'first' | 'primary' | 'standby'> = {
    any: 'first',
    'read-write': 'primary',
    'read-only': 'standby',
    primary: 'primary',
    standby: 'standby',
    'prefer-standby': 'standby',
  };
  for (const [attrs, server] of Object.entries(found)) {
    test(`finds the server that target_session_attrs=${attrs} asks for, in either order`, async () => {
      for (const ports of [
        [primary.port, standby.port],
        [standby.port, primary.port],
      ]) {
        const port = await portFor(urlOf(ports, `?target_session_attrs=${attrs}`));
        assert.equal(port, { first: ports[0], primary: primary.port, standby: standby.port }[server]);
      }
    });
  }

  test('goes on to the next host when one is down, absent or silent', async t => {
    const silent = await startStallingProxy(primary.port);
    atEndOf(t, () => silent.close());
    silent.stall('both');
    const down = await freePort();
    assert.equal(await portFor(urlOf([down, silent.port, standby.port], '?connect_timeout=1')), standby.port);
    const absent = urlOf([standby.port]).replace('@', '@absent.invalid,');
    assert.equal(await portFor(absent), standby.port);
    assert.equal(await portFor(urlOf([primary.port], '?target_session_attrs=prefer-standby')), primary.port);
  });

  test('of which none will do says of each why', async () => {
    const down = await freePort();
    await assert.rejects(portFor(urlOf([down, standby.port], '?target_session_attrs=primary')), {
      name: 'NotConnected',
      message:
        `127.0.0.1:${down}: can't reach PostgreSQL (ECONNREFUSED): check the host and the port of the URL, and that PostgreSQL runs; ` +
        `127.0.0.1:${standby.port}: this is a standby, and primary is needed: name such a host in the URL (target_session_attrs)`,
    });
  });

  test('asks no other host after one that refuses the password', async () => {
    const wrong = urlOf([standby.port, primary.port], '', 'absent');
    await assert.rejects(portFor(wrong), {
      message: `127.0.0.1:${standby.port}: PostgreSQL refused the user or the password`,
    });
  });

  test('lets a command that writes find the primary, and one that reads take the standby', async () => {
    const env = { KEYROSTER_DATABASE_URL: urlOf([standby.port, primary.port]) };
    const created = await runCommand(['organizations', 'create', 'Acme', '--id', 'org_acme'], { env });
    assert.deepEqual([created.exitCode, created.stderr], [0, '']);
    assert.equal((await runCommand(['migrate'], { env })).exitCode, 0);

    const onStandby = { KEYROSTER_DATABASE_URL: urlOf([standby.port]) };
    const listed = await runCommand(['organizations', 'list'], { env: onStandby });
    assert.deepEqual([listed.exitCode, listed.stderr], [0, '']);
    for (const args of [['migrate'], ['organizations', 'create', 'Other']]) {
      const { exitCode, stderr } = await runCommand(args, { env: onStandby });
      assert.equal(exitCode, 1);
      assert.equal(
        stderr,
        `keyroster: database: 127.0.0.1:${standby.port}: this is a standby, and read-write is needed: ` +
          'name such a host in the URL (target_session_attrs); nothing was changed\n',
      );
    }
    const forced = { KEYROSTER_DATABASE_URL: urlOf([standby.port], '?target_session_attrs=any') };
    const { stderr } = await runCommand(['organizations', 'create', 'Other'], { env: forced });
    assert.equal(
      stderr,
      'keyroster: database: this PostgreSQL takes no writes: name the primary in the URL, or turn ' +
        'default_transaction_read_only off (cannot execute INSERT in a read-only transaction); nothing was changed\n',
    );
  });

  test('a session that is set to be read-only is none that takes writes', async t => {
    await runSql(urlOf([primary.port]), "CREATE ROLE reads LOGIN SUPERUSER PASSWORD 'p'");
    await runSql(urlOf([primary.port]), 'ALTER ROLE reads SET default_transaction_read_only = on');
    atEndOf(t, () => runSql(urlOf([primary.port]), 'DROP ROLE reads'));
    const url = `postgres://reads:p@127.0.0.1:${primary.port}/postgres`;
    const refusedFor = async (rest: string, reason: string) =>
      assert.rejects(portFor(`${url}?target_session_attrs=read-write${rest}`), {
        name: 'NotConnected',
        message: `127.0.0.1:${primary.port}: ${reason}`,
      });
    const byRole =
      'the role "reads" is set to read only (default_transaction_read_only), and read-write is needed: ' +
      'name a role that writes in the URL (docs/postgresql.md#roles)';
    await refusedFor('', byRole);
    await runSql(urlOf([primary.port]), 'ALTER ROLE reads RESET default_transaction_read_only');
    await runSql(
      urlOf([primary.port]),
      'ALTER ROLE reads IN DATABASE postgres SET default_transaction_read_only = on',
    );
    await refusedFor('', byRole);
    await refusedFor(
      '&options=-c%20default_transaction_read_only%3Don',
      'options (PGOPTIONS) turns default_transaction_read_only on, and read-write is needed: take it out',
    );
    assert.equal(await portFor(`${url}?target_session_attrs=read-only`), primary.port);
  });

  test('of a database that is set to be read-only, or of a server, says which of them is', async t => {
    const settings = {
      'ALTER DATABASE read_only':
        'the database "read_only" is set to read only (default_transaction_read_only), and ' +
        'read-write is needed: ALTER DATABASE … RESET default_transaction_read_only',
      'ALTER SYSTEM':
        'this is read-only, and read-write is needed: name such a host in the URL (target_session_attrs)',
    };
    const administrate = (sql: string) =>
      runSql(urlOf([primary.port], '?options=-c%20default_transaction_read_only%3Doff'), sql);
    await administrate('CREATE DATABASE read_only');
    atEndOf(t, () => administrate('DROP DATABASE read_only'));
    for (const [alter, reason] of Object.entries(settings)) {
      await administrate(`${alter} SET default_transaction_read_only = on`);
      await administrate('SELECT pg_reload_conf()');
      const url = urlOf([primary.port], '?target_session_attrs=read-write').replace(
        '/postgres?',
        '/read_only?',
      );
      await assert.rejects(portFor(url), { message: `127.0.0.1:${primary.port}: ${reason}` });
      await administrate(`${alter} RESET default_transaction_read_only`);
      await administrate('SELECT pg_reload_conf()');
    }
  });

  test('is served by the next host after a kill -9 of one, and by the first again after one of the next', async t => {
    const reader = await storeAt(urlOf([primary.port, standby.port])).openReader();
    atEndOf(t, () => reader.close());
    const service = await startService(reader);
    atEndOf(t, () => service.close());
    const served = async () => {
      const start = performance.now();
      for (;;) {
        const { status, body } = await service.list(secret);
        if (status === 200) return body;
        assert.equal(status, 503);
        assert.ok(performance.now() - start < MAX_RECOVERY_MS, 'not served by the other host');
      }
    };
    const page = await served();
    await primary.kill('SIGKILL');
    assert.deepEqual(await served(), page);
    await primary.start();
    await standby.kill('SIGKILL');
    assert.deepEqual(await served(), page);
    await standby.start();
  });

  test('has a writer that goes on with the standby once that is promoted', async t => {
    const writer = await storeAt(urlOf([primary.port, standby.port])).openWriter();
    atEndOf(t, () => writer.close());
    await createOrganization(writer);
    await primary.kill('SIGKILL');
    // What the killed server had begun for this connection may live on for a moment.
    const untilRefused = async () => {
      for (;;) await createOrganization(writer);
    };
    await assert.rejects(untilRefused, { name: 'Refused' });
    await runSql(urlOf([standby.port]), 'SELECT pg_promote()');
    await createOrganization(writer);
  });
});
