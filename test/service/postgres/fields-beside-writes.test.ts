/** What changes the declared fields over one connection, and what writes API keys over another. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from 'pg';
import { inTransaction } from '../../../src/service/postgres/transaction.ts';
import { addField, removeField } from '../../../src/service/postgres/writes/change-fields.ts';
import { issuerIn } from '../../../src/service/postgres/writes/issuer-store.ts';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import type { DeclaredField } from '../../../src/service/roster/declared-fields.ts';
import type { NewField } from '../../../src/service/roster/writes/new-field.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { connect } from '../../support/connect.ts';
import { newStore, writerOf } from '../../support/opened.ts';
import { createOrganization, importLines } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';
import { TEST_ACTOR } from '../../support/store-at.ts';
import { until } from '../../support/until.ts';

const tier: NewField = { name: 'tier', type: { kind: 'text', max_length: 9 } };
const calls: NewField = { name: 'calls', type: { kind: 'integer' } };
const PAGE = { limit: 20, cursor: null, filter: {} };
const TABLE_IS_WAITED_FOR = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'relation'`;

describe('declared fields that are changed while API keys are written, in PostgreSQL', async () => {
  const scope = suiteScope();
  const store = await newStore(scope);
  const writer = await writerOf(scope, store);
  const changing = await connect(scope, store.url);
  const issuing = await connect(scope, store.url);
  let id: OrganizationId;

  /** Does the work while the change of the fields isn't committed yet, and commits that once the work waits for it. */
  async function during(change: (client: Client) => Promise<unknown>, work: () => Promise<unknown>) {
    const [result] = await inTransaction(changing, async () => {
      await change(changing);
      const done = work().then(
        value => ({ value }),
        (error: unknown) => ({ error }),
      );
      const isWaitedFor = async () => (await runSql(store.url, TABLE_IS_WAITED_FOR)).length > 0;
      await until('the table is waited for', isWaitedFor);
      return [done];
    });
    const outcome = await result;
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  const listed = async () => {
    const { rows } = await issuing.query(
      'SELECT id, name FROM keyroster.api_keys WHERE organization_id = $1 ORDER BY id',
      [id],
    );
    return rows.map(row => [row.id, row.name]);
  };
  const line = (key: ApiKey, number = 1) => ({ line: number, organizationId: id, key });
  const key = (number: number, name: string, declared?: ApiKey['declared']) =>
    numberedKey(number, { name, createdAt: 0n as never, ...(declared && { declared }) });
  const put = (keys: ApiKey[]) => writer.putApiKeys(id, keys);
  const feed = (keys: ApiKey[]) => writer.feedApiKeys(keys.map(line));
  const putInTransaction = (keys: ApiKey[]) =>
    inTransaction(issuing, client => issuerIn(client, TEST_ACTOR).putApiKeys(id, keys));
  const imports = (keys: ApiKey[]) => importLines(writer, keys.map(line));

  async function withFields(...fields: NewField[]): Promise<DeclaredField[]> {
    for (const { name } of await writer.listFields()) await writer.removeField(name);
    for (const field of fields) await writer.addField(field);
    id = (await createOrganization(writer)).id;
    await put([key(1, 'first')]);
    return [...(await writer.listFields())];
  }

  for (const [what, write] of Object.entries({ put, feed, putInTransaction, import: imports }))
    test(`${what} waits for a field that is removed or added, and is done`, async () => {
      await withFields(tier, calls);
      await during(
        client => removeField(client, 'tier'),
        () => write([key(1, 'second'), key(2, 'second')]),
      );
      assert.deepEqual(await listed(), [
        ['k1', 'second'],
        ['k2', 'second'],
      ]);
      await during(
        client => addField(client, tier),
        () => write([key(1, 'third'), key(3, 'third')]),
      );
      const page = await writer.listApiKeys(id, PAGE);
      const records = page?.items.map(({ record }) => JSON.parse(record)) ?? [];
      assert.deepEqual(records.map(record => [record.id, record.name, record.calls, record.tier]).sort(), [
        ['k1', 'third', null, null],
        ['k2', 'second', null, null],
        ['k3', 'third', null, null],
      ]);
    });

  test('a value of a field that is being removed is refused, and says why', async () => {
    const problem = 'the declared fields were changed meanwhile: run it again';
    const [declared] = await withFields(tier, calls);
    const withValue = key(1, 'second', [{ field: declared as DeclaredField, value: 'free' }]);
    const outcomes = await during(
      client => removeField(client, 'tier'),
      () => feed([withValue, key(2, 'second')]),
    );
    assert.deepEqual(outcomes, [{ faults: [{ field: null, problem }] }, { result: 'inserted' }]);
    const [again] = await withFields(tier, calls);
    const refused = during(
      client => removeField(client, 'tier'),
      () => put([key(1, 'second', [{ field: again as DeclaredField, value: 'free' }])]),
    );
    await assert.rejects(
      refused,
      (error: unknown) => error instanceof Refused && error.faults[0]?.problem === problem,
    );
    assert.deepEqual(await listed(), [['k1', 'first']]);
  });
});
