import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { migrations } from '../../src/postgres/schema.ts';
import { Refused } from '../../src/roster/errors.ts';
import { freePort } from '../support/free-port.ts';
import { atEndOf, type Scope } from '../support/scope.ts';
import { storeAt } from '../support/store-at.ts';
import { postgres } from '../support/stores.ts';

const AT_ONCE = 8;

test('of many migrations at once one applies every step, and all succeed', async t => {
  const { url } = await emptyDatabase(t);
  const applied = await Promise.all(Array.from({ length: AT_ONCE }, () => storeAt(url).migrate()));
  assert.deepEqual(
    applied.toSorted((a, b) => b - a),
    [migrations.length, ...Array.from({ length: AT_ONCE - 1 }, () => 0)],
  );
  await (await storeAt(url).openReader()).close();
});

test('migrating again applies nothing and keeps what is stored', async t => {
  const { url, query } = await emptyDatabase(t);
  await storeAt(url).migrate();
  await query("INSERT INTO keyroster.organizations (id, name) VALUES ('org_1', 'One')");
  assert.equal(await storeAt(url).migrate(), 0);
  assert.deepEqual(await query('SELECT id FROM keyroster.organizations'), [{ id: 'org_1' }]);
});

test('a database without a schema, of an older release or of a newer one is refused with what to do', async t => {
  const { url, query } = await emptyDatabase(t);
  await assertNotOpened(url, 'database: it has no schema keyroster: run "keyroster migrate"');

  await storeAt(url).migrate();
  const number = migrations.length;
  await query('INSERT INTO keyroster.migrations (number) VALUES ($1)', [number + 1]);
  const newer = `database: the schema of this database is of a newer release (${number + 1}, this one knows ${number}): update keyroster`;
  await assertNotOpened(url, newer);
  await assert.rejects(storeAt(url).migrate(), new Refused(newer));

  // There is one release so far: what makes a schema older is that a step hasn't been noted.
  await query('DELETE FROM keyroster.migrations');
  const why =
    number === 1 ? 'it has no schema keyroster' : 'the schema of this database is of an older release';
  await assertNotOpened(url, `database: ${why}: run "keyroster migrate"`);
});

test('a step that fails leaves nothing behind, and can be applied when what was in its way is gone', async t => {
  const { url, query } = await emptyDatabase(t);
  await query('CREATE SCHEMA keyroster; CREATE TABLE keyroster.api_keys (theirs integer)');
  const inSchema = () =>
    query(`SELECT relname FROM pg_class WHERE relnamespace = 'keyroster'::regnamespace
      UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'keyroster'::regnamespace`);
  const before = await inSchema();
  const refusal = await refusedBy(() => storeAt(url).migrate());
  assert.match(refusal, /^database: relation "api_keys" already exists; nothing was changed$/);
  assert.deepEqual(await inSchema(), before);

  await query('DROP TABLE keyroster.api_keys');
  assert.equal(await storeAt(url).migrate(), migrations.length);
});

test('a malformed URL is refused without being repeated', async () => {
  const url = 'postgres://user:half/secret@127.0.0.1/keyroster';
  assert.equal(
    await refusedBy(() => storeAt(url).migrate()),
    'database: the URL is malformed: percent-encode the special characters of its password; nothing was changed',
  );
});

test('what can not be connected to is refused in one line that says why and not with which password', async t => {
  const { url } = await emptyDatabase(t);
  const password = 'wrong-s3cret';
  const refusals = [
    [{ password }, 'PostgreSQL refused the user or the password'],
    [{ username: 'nobody', password }, 'PostgreSQL refused the user or the password'],
    [{ pathname: '/absent' }, 'there is no such database: create it first'],
    [
      { port: String(await freePort()) },
      "can't reach PostgreSQL (ECONNREFUSED): check the host and the port of the URL",
    ],
  ] satisfies [Partial<URL>, string][];
  for (const [parts, why] of refusals) {
    const other = Object.assign(new URL(url), parts);
    const { migrate, openReader, openWriter } = storeAt(other.href);
    for (const open of [migrate, openReader, openWriter] as (() => Promise<unknown>)[]) {
      const refusal = await refusedBy(open);
      assert.equal(refusal, `database: ${why}; nothing was changed`);
      assert.ok(!refusal.includes(other.password));
    }
  }
});

async function emptyDatabase(scope: Scope) {
  const store = await postgres.create();
  atEndOf(scope, () => store.remove());
  const client = new Client(store.url);
  await client.connect();
  atEndOf(scope, () => client.end());
  const query = async (text: string, values: unknown[] = []) => {
    const { rows } = await client.query(text, ...(values.length > 0 ? [values] : []));
    return rows;
  };
  await query('DROP SCHEMA keyroster CASCADE');
  return { url: store.url, query };
}

async function assertNotOpened(url: string, why: string): Promise<void> {
  const { openReader, openWriter } = storeAt(url);
  for (const open of [openReader, openWriter]) assert.equal(await refusedBy(open), why);
}

/** The message of the refusal: one line. */
async function refusedBy(work: () => Promise<unknown>): Promise<string> {
  const error = await work().then(
    () => assert.fail('it was not refused'),
    (error: unknown) => error,
  );
  assert.ok(error instanceof Refused, String(error));
  assert.doesNotMatch(error.message, /\n/);
  return error.message;
}
