import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStore } from '../../../../src/operator/check-store.ts';
import { type Migration, migrations } from '../../../../src/service/postgres/migrations/schema.ts';
import { startKeyroster } from '../../../support/command-line.ts';
import { connect } from '../../../support/connect.ts';
import { becomeNextRelease } from '../../../support/next-release.ts';
import { atEndOf, type Scope } from '../../../support/scope.ts';
import { storeAt } from '../../../support/store-at.ts';
import { createDatabase } from '../../../support/stores.ts';
import { until } from '../../../support/until.ts';

const CONCURRENT = 8;

test('when several migrations run at once, one applies every step, and all succeed', async t => {
  const { url } = await emptyDatabase(t);
  const applied = await Promise.all(Array.from({ length: CONCURRENT }, () => storeAt(url).migrate()));
  assert.deepEqual(
    applied.toSorted((a, b) => b - a),
    [migrations.length, ...Array.from({ length: CONCURRENT - 1 }, () => 0)],
  );
  await (await storeAt(url).openReader()).close();
});

test('a database without a schema is refused with a message that says what to do', async t => {
  const { openReader, openWriter } = storeAt((await emptyDatabase(t)).url);
  for (const open of [openReader, openWriter])
    assert.equal(await refusedBy(open), 'database: it has no schema keyroster: run "keyroster migrate"');
});

test('a schema that another role made is refused, since its owner could have code run by whoever uses it', async t => {
  const { url, query } = await emptyDatabase(t);
  await query("CREATE ROLE squatter LOGIN PASSWORD 'x'; CREATE ROLE other LOGIN PASSWORD 'x'");
  atEndOf(t, () => query('DROP OWNED BY squatter; DROP ROLE squatter, other'));
  await query(`CREATE SCHEMA keyroster AUTHORIZATION squatter; GRANT ALL ON SCHEMA keyroster TO PUBLIC;
    CREATE FUNCTION public.evil() RETURNS integer LANGUAGE plpgsql AS $$BEGIN RAISE 'ran'; END$$;
    CREATE VIEW keyroster.migrations AS SELECT public.evil() AS number; ALTER VIEW keyroster.migrations OWNER TO squatter`);
  const belongs = 'database: the schema keyroster belongs to the role squatter: connect as that role';
  const store = storeAt(url);
  for (const act of [
    store.migrate,
    store.planMigration,
    () => checkStore(store),
    store.openWriter,
    store.openReader,
  ])
    assert.equal(await refusedBy(act), `${belongs}, and a superuser would run that role's code`);
  const ofOther = new URL(url);
  [ofOther.username, ofOther.password] = ['other', 'x'];
  assert.equal(await refusedBy(storeAt(ofOther.href).migrate), `${belongs}, or drop the schema`);
});

test('a step that fails changes nothing, and succeeds once the conflict is removed', async t => {
  const { url, query } = await emptyDatabase(t);
  await query('CREATE SCHEMA keyroster; CREATE TABLE keyroster.api_keys (theirs integer)');
  const inSchema = () =>
    query(`SELECT relname FROM pg_class WHERE relnamespace = 'keyroster'::regnamespace
      UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'keyroster'::regnamespace`);
  const before = await inSchema();
  const exists =
    /^database: relation "api_keys" already exists; earlier steps are done, if there were any: run /;
  assert.match(await refusedBy(() => storeAt(url).migrate()), exists);
  assert.deepEqual(await inSchema(), before);

  await query('DROP TABLE keyroster.api_keys');
  assert.equal(await storeAt(url).migrate(), migrations.length);
});

test('after a step that failed the next run does the rest, and makes an index again whose making was interrupted', async t => {
  const { url, query } = await emptyDatabase(t);
  await query('CREATE SCHEMA keyroster; CREATE TABLE keyroster.extra (theirs integer)');
  const { length } = migrations;
  const steps = migrations as Migration[];
  steps.push({
    usableFrom: length,
    concurrently: ['CREATE INDEX CONCURRENTLY IF NOT EXISTS of_name ON keyroster.api_keys (name)'],
    statements: ['CREATE TABLE keyroster.extra (id integer)'],
  });
  t.after(() => steps.splice(length));
  assert.equal(
    await refusedBy(() => storeAt(url).migrate()),
    'database: relation "extra" already exists; earlier steps are done, if there were any: run "keyroster migrate" again, which does the rest',
  );
  const ofName = "pg_index WHERE indexrelid = 'keyroster.of_name'::regclass";
  await query('CREATE INDEX of_name ON keyroster.api_keys (name)');
  await query(`UPDATE ${ofName.replace(' WHERE', ' SET indisvalid = false WHERE')}`);
  await query('DROP TABLE keyroster.extra');
  assert.equal(await storeAt(url).migrate(), 1);
  assert.deepEqual(await query(`SELECT indisvalid FROM ${ofName}`), [{ indisvalid: true }]);
});

test('a database whose encoding is not UTF8 is refused, and nothing is made in it', async t => {
  const { url } = await emptyDatabase(t);
  const client = await connect(t, url);
  const name = `${new URL(url).pathname.slice(1)}_latin1`;
  await client.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  atEndOf(t, () => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  const latin1 = Object.assign(new URL(url), { pathname: name }).href;
  assert.equal(
    await refusedBy(() => storeAt(latin1).migrate()),
    "database: its encoding is LATIN1, which can't store every name: create it with ENCODING 'UTF8' TEMPLATE template0",
  );
  const made = await (await connect(t, latin1)).query("SELECT to_regnamespace('keyroster')::text AS name");
  assert.deepEqual(made.rows, [{ name: null }]);
});

test('migrate tells on standard error by which query who holds its lock is found when that takes 2 s, and goes on when the lock is free', async t => {
  const { url } = await emptyDatabase(t);
  const holder = await connect(t, url);
  await holder.query('SELECT pg_advisory_lock(21221573961933684)');
  const { pid } = (await holder.query('SELECT pg_backend_pid() AS pid')).rows[0];
  const migrating = startKeyroster(t, ['migrate'], { env: { KEYROSTER_DATABASE_URL: url } });
  await until('it tells', () => migrating.output() !== '');
  const told = migrating.output();
  const [, query = ''] =
    /^keyroster: waiting for another process that migrates this database\. .*: (SELECT .*)\n$/.exec(told) ??
    [];
  assert.deepEqual(
    (await holder.query(query)).rows.map(found => found.pid),
    [pid],
  );
  await holder.query('SELECT pg_advisory_unlock_all()');
  await migrating.line(new RegExp(`^applied ${migrations.length} migration\\(s\\)$`));
  assert.equal(migrating.output(), `applied ${migrations.length} migration(s)\n${told}`);
});

test('while a migration waits for a lock nobody waits behind it for long, it tells by which query who holds the lock is found, and it goes on when that is free', async t => {
  const { url, query } = await emptyDatabase(t);
  await storeAt(url).migrate();
  t.after(becomeNextRelease());
  const holder = await connect(t, `${url}?application_name=backup`);
  await holder.query('BEGIN; SELECT FROM keyroster.organizations');
  const told: string[] = [];
  const migrating = storeAt(url).migrate(undefined, {
    onWaiting: message => told.push(message),
    onStep: assert.fail,
  });
  await until('the migration tells that it waits', async () => {
    await query("SET statement_timeout = '1s'; SELECT FROM keyroster.organizations");
    return told.length > 0;
  });
  const [, whoHoldsIt = ''] = /^waiting for a lock; .*: (SELECT .*)$/.exec(told[0] ?? '') ?? [];
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid');
  await until('the query finds the holder', async () =>
    (await query(whoHoldsIt)).some(({ pid }) => pid === rows[0].pid),
  );
  await holder.query('COMMIT');
  assert.equal(await migrating, 2);
  assert.equal(told.length, 1);
});

test('a migration whose lock is not free is refused, and has changed nothing', async t => {
  const { url, query } = await emptyDatabase(t);
  await storeAt(url).migrate();
  t.after(becomeNextRelease());
  const holder = await connect(t, `${url}?application_name=backup`);
  await holder.query('BEGIN; LOCK TABLE keyroster.organizations IN EXCLUSIVE MODE');
  assert.match(
    await refusedBy(() => storeAt(url).migrate()),
    /^database: a lock is not free, and nothing of this step was changed: run it again; .*pg_blocking_pids/,
  );
  assert.deepEqual(
    await query("SELECT attrelid::regclass::text AS name FROM pg_attribute WHERE attname = 'note_1'"),
    [],
  );
});

async function emptyDatabase(scope: Scope) {
  const { url, remove } = await createDatabase();
  atEndOf(scope, remove);
  const client = await connect(scope, url);
  const query = async (text: string) => (await client.query(text)).rows;
  return { url, query };
}

/** Returns the message of the refusal, which must be one line. */
async function refusedBy(work: () => Promise<unknown>): Promise<string> {
  let told = '';
  await assert.rejects(work, ({ name, message }: Error) => {
    told = message;
    return name === 'Refused' && !message.includes('\n');
  });
  return told;
}
