import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keyroster } from '../../support/command-line.ts';
import { connect } from '../../support/connect.ts';
import { type PoolMode, startPooler } from '../../support/pooler.ts';
import { createOrganization } from '../../support/roster.ts';
import type { Scope } from '../../support/scope.ts';
import { startService } from '../../support/service.ts';
import { storeAt } from '../../support/store-at.ts';
import { postgres, type TestStore } from '../../support/stores.ts';

const REFUSAL =
  'database: a pooler in front of PostgreSQL changes the connection between transactions: set it to session mode, or give ' +
  'the URL of PostgreSQL itself; nothing was changed';

describe('a pooler in front of PostgreSQL', () => {
  let store: TestStore;
  let secret: string;
  before(async () => {
    store = await postgres.create();
    const writer = await store.openWriter();
    ({ secret } = await createOrganization(writer));
    await writer.close();
  });
  after(() => store.remove());

  const through = async (scope: Scope, mode: PoolMode) => {
    const url = new URL(store.url);
    const port = await startPooler(scope, Number(url.port), mode);
    return Object.assign(url, { port }).href;
  };

  test('in session mode serves as PostgreSQL itself', async t => {
    const url = await through(t, 'session');
    const reader = await storeAt(url).openReader();
    t.after(() => reader.close());
    const service = await startService(reader);
    t.after(() => service.close());
    assert.equal((await service.list(secret)).status, 200);
    const env = { KEYROSTER_DATABASE_URL: url };
    assert.equal((await keyroster(['organizations', 'create', 'Acme'], { env })).exitCode, 0);
  });

  test('in transaction mode is refused by the service and by every command, before anything is set or changed', async t => {
    const url = await through(t, 'transaction');
    const before = await connect(t, url);
    await before.query('SELECT 1'); // another client, whose connection is free
    const { migrate, openReader, openWriter, check } = storeAt(url);
    for (const open of [migrate, openReader, openWriter, check] as (() => Promise<unknown>)[])
      await assert.rejects(open(), { name: 'Refused', message: REFUSAL });
    const { exitCode, stderr } = await keyroster(['serve'], { env: { KEYROSTER_DATABASE_URL: url } });
    assert.deepEqual([exitCode, stderr], [1, `keyroster: ${REFUSAL}\n`]);
    const { rows } = await before.query('SHOW default_transaction_read_only');
    assert.deepEqual(rows, [{ default_transaction_read_only: 'off' }]);
  });
});
