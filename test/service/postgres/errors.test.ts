/** What an operator is told where a statement fails, whatever the driver and PostgreSQL say. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Client } from 'pg';
import { openWriter, Refused } from '../../../src/service/library/library.ts';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { putRecord } from '../../support/import-file.ts';
import { newStore, writerOf } from '../../support/opened.ts';
import { ALL, createOrganization, now } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf, suiteScope } from '../../support/scope.ts';
import type { TestStore } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

const END_OTHERS = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;
const CANCEL_OTHERS = END_OTHERS.replace('terminate_backend(pid, 5000)', 'cancel_backend(pid)');

describe('a command over PostgreSQL', () => {
  const scope = suiteScope();
  let store: TestStore;
  let writer: RosterWriter;
  before(async () => {
    store = await newStore(scope);
    writer = await writerOf(scope, store);
    await createOrganization(writer);
  });

  /** What the work is refused with, while another transaction holds the table and, once the work waits for it, this is run. */
  const refusedWhileLocked = async (work: () => Promise<unknown>, sql: string) => {
    const holding = new Client(store.url);
    await holding.connect();
    await holding.query('BEGIN; LOCK TABLE keyroster.organizations');
    const refused = work().then(
      () => assert.fail('was done'),
      (error: Error) => `${error.name}: ${error.message}`,
    );
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await until('a statement waits', async () => (await runSql(store.url, waiting)).length > 0);
    await runSql(store.url, sql.replace('AND pid', "AND wait_event_type = 'Lock' AND pid"));
    const message = await refused;
    await holding.end();
    return message;
  };

  const write = () =>
    writer.createOrganization({ id: 'org_1' as OrganizationId, name: 'One', createdAt: now() });
  const read = () => writer.listOrganizations(...ALL);
  const listPage = () =>
    writer.listApiKeys('org_1' as OrganizationId, { filter: {}, cursor: null, limit: 10 });

  test('that writes, and whose connection broke, says to check first; one that reads says to run it again', async () => {
    const BROKE =
      'Refused: database: the connection to PostgreSQL broke (terminating connection due to administrator command): ';
    assert.equal(
      await refusedWhileLocked(write, END_OTHERS),
      `${BROKE}check whether it was done before you run it again`,
    );
    assert.equal(await refusedWhileLocked(read, END_OTHERS), `${BROKE}run it again`);
  });

  test('that is canceled says by what', async () => {
    assert.equal(
      await refusedWhileLocked(write, CANCEL_OTHERS),
      'Refused: database: it was canceled: by a statement_timeout of the role, or by somebody ' +
        '(canceling statement due to user request); nothing was changed',
    );
  });

  test('that lists pages, and whose page takes too long, says what to do', async () => {
    const holding = new Client(store.url);
    await holding.connect();
    await holding.query('BEGIN; LOCK TABLE keyroster.api_keys');
    await assert.rejects(listPage(), {
      name: 'StoreUnavailable',
      message:
        'PostgreSQL: a page took longer than the 5 s that it may take: "keyroster check" tells whether an index is missing; ' +
        'else run it again when PostgreSQL has less to do, or when what locks the table has ended',
    });
    await holding.end();
  });

  test('that meets a schema that somebody has changed says so', async t => {
    await runSql(store.url, 'ALTER TABLE keyroster.organizations RENAME TO theirs');
    atEndOf(t, () => runSql(store.url, 'ALTER TABLE keyroster.theirs RENAME TO organizations'));
    await assert.rejects(
      read(),
      /database: the schema keyroster isn't as this release made it: .*; nothing was changed$/,
    );
  });

  const ofNode = {
    'fe_sendauth: no password supplied':
      'a node of Citus asks for a password, and the coordinator has none for this role: docs/postgresql.md#citus',
    'Connection refused': "a node of Citus can't be reached from the coordinator: check that it runs",
  };
  for (const [error, told] of Object.entries(ofNode))
    test(`that fails on a node of Citus says so in one line: ${error}`, async t => {
      const failed = 'connection to the remote node 127.0.0.1:1 failed with the following error:';
      // What Citus raises on the coordinator.
      await runSql(
        store.url,
        `CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           RAISE connection_failure USING MESSAGE = E'${failed} \n\t${error}\n\tMore of it.';
         END $$;
         CREATE TRIGGER fail BEFORE INSERT ON keyroster.organizations EXECUTE FUNCTION public.fail()`,
      );
      atEndOf(t, () => runSql(store.url, 'DROP FUNCTION public.fail() CASCADE'));
      const message = `database: ${told} (${failed} ${error} More of it.); nothing was changed`;
      await assert.rejects(write(), { message });
    });
});

test('a writer whose connection has ended tells it once at most, and writes by another', async t => {
  const store = await newStore(t);
  const writer = await openWriter({ database: store.url });
  const { id } = await writer.createOrganization({ name: 'Acme' });
  for (const round of [0, 1, 2]) {
    await runSql(store.url, END_OTHERS);
    const put = () => writer.put(id, putRecord(`k${round}`));
    const first = await put().catch((error: unknown) => error);
    if (first instanceof Refused)
      assert.match(first.message, /the connection to PostgreSQL broke \(.*\): check whether it was done/);
    const { inserted, unchanged } = await put();
    assert.deepEqual([inserted, unchanged], first instanceof Refused ? [1, 0] : [0, 1]);
  }
  const [rows] = await runSql(store.url, 'SELECT count(*) FROM keyroster.api_keys');
  assert.equal(rows?.count, '3');
  await writer.close();
  await assert.rejects(writer.put(id, putRecord('k4')), { name: 'Refused', message: /the store is closed/ });
});
