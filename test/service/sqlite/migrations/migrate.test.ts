import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Migration, migrations } from '../../../../src/service/sqlite/migrations/schema.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { storeAt } from '../../../support/store-at.ts';

test('each migration of a store in use is done by itself: when a later one fails it stays, and the next run does the rest', async t => {
  const { url } = await embeddedStore(t);
  const { length: usableFrom } = migrations;
  const steps = migrations as Migration[];
  t.after(() => steps.splice(usableFrom));
  steps.push({ sql: 'ALTER TABLE api_keys ADD COLUMN note TEXT', usableFrom });
  steps.push({ sql: 'CREATE TABLE more (id INTEGER); SELECT no_such_function()', usableFrom });
  await assert.rejects(storeAt(url).migrate(), /no such function/);
  assert.equal((await storeAt(url).schemas()).store.version, usableFrom + 1);

  steps.splice(-1, 1, { sql: 'CREATE TABLE more (id INTEGER)', usableFrom });
  assert.equal(await storeAt(url).migrate(), 1);
  const writer = await storeAt(url).openWriter();
  const recorded = (await writer.listAuditEntries({ action: 'migrate' }, 0, 100)).map(
    ({ details }) => details,
  );
  await writer.close();
  assert.deepEqual(recorded.slice(-2), [
    { schema_version: usableFrom + 1 },
    { schema_version: usableFrom + 2 },
  ]);
});
