import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import type { Client } from 'pg';
import { StoreUnavailable } from '../../../../src/service/roster/errors.ts';
import { connect } from '../../../support/connect.ts';
import { newStore, readerOf } from '../../../support/opened.ts';
import { organizationIn } from '../../../support/roster.ts';
import { atEndOf, suiteScope } from '../../../support/scope.ts';
import { serveStore, startService } from '../../../support/service.ts';
import { startServiceProcess } from '../../../support/service-process.ts';
import type { TestStore } from '../../../support/stores.ts';
import { until } from '../../../support/until.ts';

const INDEX = 'api_keys_listing_status_workspace_id';
const DEFINITION = '(keyroster.listing(organization_id, status, workspace_id, NULL), created_at, id)';
const LACKS_INDEX =
  /^PostgreSQL: the index api_keys_listing_status_workspace_id, by which pages are read, is missing or invalid: run "keyroster check"$/;

const INVALID =
  `the index ${INDEX}, by which pages are read, is missing or invalid: ` +
  `DROP INDEX CONCURRENTLY IF EXISTS "keyroster".${INDEX}; CREATE INDEX CONCURRENTLY ${INDEX} ON keyroster.api_keys ${DEFINITION}`;

describe('readiness over PostgreSQL', () => {
  const scope = suiteScope();
  let store: TestStore;
  let client: Client;
  before(async () => {
    store = await newStore(scope);
    client = await connect(scope, store.url);
  });
  beforeEach(() => client.query(`CREATE INDEX IF NOT EXISTS ${INDEX} ON keyroster.api_keys ${DEFINITION}`));

  test("is there once no page lacks its index; until then the log says which do, callers don't learn it, and pages are served", async t => {
    await client.query(`DROP INDEX keyroster.${INDEX}`);
    const { secret } = await organizationIn(store);
    const reader = await readerOf(t, store);
    const service = await startService(reader);
    atEndOf(t, () => service.close());
    await assert.rejects(
      reader.checkReadiness(),
      error => error instanceof StoreUnavailable && LACKS_INDEX.test(error.message),
    );
    const [ready, page] = await Promise.all([fetch(`${service.url}/readyz`), service.list(secret)]);
    assert.deepEqual([ready.status, page.status], [503, 200]);
    const body = await ready.text();
    assert.match(body, /the roster cannot be read/);
    assert.doesNotMatch(body, /index|keyroster check/);
    assert.match(service.logText(), /is missing/);
    await client.query(`CREATE INDEX ${INDEX} ON keyroster.api_keys ${DEFINITION}`);
    await reader.checkReadiness();
  });

  test('is said at the start of serve, where nobody may ask for it', async t => {
    await client.query(`DROP INDEX keyroster.${INDEX}`);
    const serve = await startServiceProcess(t, store.url, {});
    await until('it is told', () => serve.warnings().some(line => LACKS_INDEX.test(JSON.parse(line).msg)));
  });

  test('tells of an invalid index while pages are served, and is whole again once it is valid', async t => {
    const service = await serveStore(t, store);
    const ready = async () => {
      const answer = await fetch(`${service.url}/readyz`);
      return [answer.status, await answer.json()];
    };
    const setValid = (isValid: boolean) =>
      client.query(
        `UPDATE pg_index SET indisvalid = ${isValid} WHERE indexrelid = 'keyroster.${INDEX}'::regclass`,
      );
    assert.deepEqual(await ready(), [200, { status: 'ready' }]);
    await setValid(false);
    for (const _ of ['told', 'told once']) assert.deepEqual(await ready(), [200, { status: 'degraded' }]);
    await setValid(true);
    assert.deepEqual(await ready(), [200, { status: 'ready' }]);
    const lines = service
      .logText()
      .split('\n')
      .filter(line => line.includes('store'));
    assert.deepEqual(
      lines.map(line => JSON.parse(line)).map(({ level, msg, problems }) => [level, msg, problems]),
      [
        [40, 'a part of the store does not work', [INVALID]],
        [30, 'the whole store works again', undefined],
      ],
    );
  });
});
