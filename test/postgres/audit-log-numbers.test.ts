/** Logical replication copies the rows of the audit log and not the last number of its sequence. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { connect } from '../support/connect.ts';
import { now } from '../support/roster.ts';
import { runSql } from '../support/run-sql.ts';
import { atEndOf, suiteScope } from '../support/scope.ts';
import { storeAt, TEST_ACTOR } from '../support/store-at.ts';
import { postgres } from '../support/stores.ts';

const LOG = 'SELECT number, action FROM keyroster.audit_log ORDER BY number';
const TAKEN = /the next number of the audit log is taken/;

describe('an audit log whose next number is taken', () => {
  const scope = suiteScope();
  let url: string;
  before(async () => {
    const store = await postgres.create();
    atEndOf(scope, () => store.remove());
    url = store.url;
    await runSql(url, "SELECT setval('keyroster.audit_log_number_seq', 1, false)");
  });

  const create = async (url: string, id: string) => {
    const writer = await storeAt(url).openWriter();
    try {
      await writer.createOrganization({ id: id as OrganizationId, name: 'One', createdAt: now() });
    } finally {
      await writer.close();
    }
  };

  test('is found by check', async () => {
    const { findings } = await storeAt(url).check();
    assert.deepEqual(findings, [
      {
        about: 'audit_log',
        problem:
          'the next number of the audit log is taken, as after a logical replication: every write is refused',
        fix: 'run "keyroster migrate"',
      },
    ]);
  });

  test('is put right by migrate, which says so and records nothing', async t => {
    const before = await runSql(url, LOG);
    const steps: string[] = [];
    const listener = { onWaiting: assert.fail, onStep: (what: string) => steps.push(what) };
    assert.deepEqual(await storeAt(url).planMigration(), [
      'let the audit log go on behind its last number, as its next one is taken',
    ]);
    const client = await connect(t, url);
    assert.equal(await storeAt(url).migrate(TEST_ACTOR, listener), 0);
    assert.deepEqual(steps, ['let the audit log go on behind its last number, as its next one is taken']);
    assert.deepEqual(await runSql(url, LOG), before);
    const last = Number(before.at(-1)?.number);

    await create(url, 'org_1');
    const [entry] = (await client.query(LOG)).rows.slice(-1);
    assert.deepEqual(entry, { number: String(last + 1), action: 'create_organization' });
    assert.deepEqual(await storeAt(url).planMigration(), []);
    assert.ok(!(await storeAt(url).check()).findings.some(({ problem }) => TAKEN.test(problem)));
  });
});
