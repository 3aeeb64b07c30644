import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWriter, Refused } from '../../../src/service/library.ts';
import { putRecord } from '../../support/import-file.ts';
import { newStore } from '../../support/opened.ts';
import { runSql } from '../../support/run-sql.ts';

const END_OTHERS = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

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
