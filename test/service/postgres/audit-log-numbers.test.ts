/** Logical replication copies the rows of the audit log and not the last number of its sequence. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newStore, writerOf } from '../../support/opened.ts';
import { createOrganization } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { TEST_ACTOR } from '../../support/store-at.ts';

const LOG = 'SELECT number, action FROM keyroster.audit_log ORDER BY number';

test('an audit log whose next number is taken is told by check, and put right by migrate, which records nothing', async t => {
  const store = await newStore(t);
  await runSql(store.url, "SELECT setval('keyroster.audit_log_number_seq', 1, false)");
  const taken = await store.check();
  assert.deepEqual(taken.findings, [
    {
      about: 'audit_log',
      problem:
        'the next number of the audit log is taken, as after a logical replication: every write is refused',
      fix: 'run "keyroster migrate"',
    },
  ]);

  const before = await runSql(store.url, LOG);
  const plan = ['let the audit log go on behind its last number, as its next one is taken'];
  assert.deepEqual(await store.planMigration(), plan);
  const steps: string[] = [];
  const listener = { onWaiting: assert.fail, onStep: (what: string) => steps.push(what) };
  assert.equal(await store.migrate(TEST_ACTOR, listener), 0);
  assert.deepEqual(steps, plan);
  assert.deepEqual(await runSql(store.url, LOG), before);

  const writer = await writerOf(t, store);
  await createOrganization(writer);
  const added = (await runSql(store.url, LOG)).slice(before.length);
  assert.equal(added[0]?.number, String(Number(before.at(-1)?.number) + 1));
  assert.deepEqual([await store.planMigration(), (await store.check()).findings], [[], []]);
});
