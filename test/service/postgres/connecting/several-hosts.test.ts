import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { connect } from '../../../../src/service/postgres/connecting/connection.ts';
import type { SessionAttrs } from '../../../../src/service/postgres/connecting/parameters.ts';
import { parsePostgresUrl } from '../../../../src/service/postgres/connecting/url.ts';
import { freePort } from '../../../support/free-port.ts';
import { readerOf, writerOf } from '../../../support/opened.ts';
import { type PostgresServer, startPostgres, startStandby } from '../../../support/postgres.ts';
import { createOrganization } from '../../../support/roster.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { runSql } from '../../../support/run-sql.ts';
import { atEndOf, suiteScope } from '../../../support/scope.ts';
import { startStallingProxy } from '../../../support/stalling-proxy.ts';
import { storeAt } from '../../../support/store-at.ts';

describe('a URL with several hosts', () => {
  const scope = suiteScope();
  let primary: PostgresServer;
  let standby: PostgresServer;
  before(async () => {
    primary = await startPostgres();
    atEndOf(scope, () => primary.stop());
    const store = storeAt(`${primary.url}/postgres`);
    await store.migrate();
    await primary.kill('SIGINT');
    standby = await startStandby(primary, primary.port);
    atEndOf(scope, () => standby.stop());
    await primary.start();
  });

  const urlOf = (ports: readonly number[], rest = '', user = 'postgres') => {
    const { password } = new URL(primary.url);
    return `postgres://${user}:${password}@${ports.map(port => `127.0.0.1:${port}`)}/postgres${rest}`;
  };
  const runWith = (url: string, args: readonly string[]) =>
    runCommand(args, { env: { KEYROSTER_DATABASE_URL: url } });
  const portFor = async (url: string) => {
    const client = await connect(parsePostgresUrl(url, {}), { maxAnswerBytes: 2 ** 20 });
    const { rows } = await client.query('SELECT inet_server_port() AS port');
    await client.end();
    return Number(rows[0].port);
  };

  const found: Record<SessionAttrs, 'first' | 'primary' | 'standby'> = {
    any: 'first',
    'read-write': 'primary',
    primary: 'primary',
    standby: 'standby',
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
    const silent = await startStallingProxy(t, primary.port);
    silent.stall('both');
    const down = await freePort();
    assert.equal(await portFor(urlOf([down, silent.port, standby.port], '?connect_timeout=1')), standby.port);
    const absent = urlOf([standby.port]).replace('@', '@absent.invalid,');
    assert.equal(await portFor(absent), standby.port);
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

  test('lets a command that writes find the primary, and one that reads take the standby', async () => {
    const created = await runWith(urlOf([standby.port, primary.port]), ['organizations', 'create', 'Acme']);
    assert.deepEqual([created.exitCode, created.stderr], [0, '']);

    const listed = await runWith(urlOf([standby.port]), ['organizations', 'list']);
    assert.deepEqual([listed.exitCode, listed.stderr], [0, '']);
    const refused = await runWith(urlOf([standby.port]), ['organizations', 'create', 'Other']);
    assert.equal(
      refused.stderr,
      `keyroster: database: 127.0.0.1:${standby.port}: this is a standby, and read-write is needed: ` +
        'name such a host in the URL (target_session_attrs); nothing was changed\n',
    );
    const any = urlOf([standby.port], '?target_session_attrs=any');
    assert.match(
      (await runWith(any, ['organizations', 'create', 'Other'])).stderr,
      /this PostgreSQL takes no writes: name the primary in the URL, or turn default_transaction_read_only off/,
    );
  });

  test('has a reader that goes on with the standby, and a writer once that is promoted', async t => {
    const store = storeAt(urlOf([primary.port, standby.port]));
    const [reader, writer] = await Promise.all([readerOf(t, store), writerOf(t, store)]);
    const { id } = await createOrganization(writer);
    const list = () => reader.listApiKeys(id, { limit: 20, cursor: null, filter: {} });
    await Promise.all([1, 2, 3].map(list));
    await primary.kill('SIGKILL');
    await list();
    // What the killed server had begun for this connection may live on for a moment.
    const untilRefused = async () => {
      for (;;) await createOrganization(writer);
    };
    await assert.rejects(untilRefused, { name: 'Refused' });
    await runSql(urlOf([standby.port]), 'SELECT pg_promote()');
    await createOrganization(writer);
  });
});
