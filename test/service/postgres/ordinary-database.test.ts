/** A vendor's own database, with its tables, whose owner is no administrator of the server. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { connect } from '../../support/connect.ts';
import { readerOf } from '../../support/opened.ts';
import { startPostgres } from '../../support/postgres.ts';
import { rolesFile } from '../../support/postgres-roles.ts';
import { createOrganization } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf, type Scope, suiteScope } from '../../support/scope.ts';
import { storeAt } from '../../support/store-at.ts';

/** As hosters have them: none of these is a superuser. */
const SERVER = `
  CREATE ROLE hoster_admin LOGIN CREATEROLE PASSWORD 'secret';
  CREATE ROLE shop LOGIN PASSWORD 'secret';
  CREATE ROLE shop_app LOGIN PASSWORD 'secret';
  CREATE ROLE roster_owner LOGIN PASSWORD 'secret'`;
const SHOP = `
  CREATE TABLE orders (id integer);
  GRANT SELECT ON orders TO shop_app;
  CREATE FUNCTION total() RETURNS integer LANGUAGE sql RETURN 1`;

/** What anyone may do in the database, but for the schema and the roles of Keyroster. */
const RIGHTS = `
  SELECT what, acl::text FROM (
    SELECT 'database' AS what, acl FROM pg_database, unnest(coalesce(datacl, acldefault('d', datdba))) AS acl
      WHERE datname = current_database()
    UNION ALL SELECT nspname, acl FROM pg_namespace, unnest(nspacl) AS acl
      WHERE nspname <> 'keyroster' AND nspname NOT LIKE 'pg_temp%' AND nspname NOT LIKE 'pg_toast%'
    UNION ALL SELECT relname, acl FROM pg_class, unnest(relacl) AS acl WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT proname, acl FROM pg_proc, unnest(proacl) AS acl WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT 'default', acl FROM pg_default_acl, unnest(defaclacl) AS acl) AS rights
  WHERE acl::text NOT LIKE 'keyroster_%' ORDER BY what, acl::text`;

describe("in a vendor's own database", () => {
  const scope = suiteScope();
  let server: string;
  before(async () => {
    const { url, stop } = await startPostgres();
    atEndOf(scope, stop);
    server = url;
    await runSql(`${server}/postgres`, SERVER);
  });

  /** The URL of a new database that `shop` owns, for each user. */
  const newDatabase = async (name: string) => {
    await runSql(`${server}/postgres`, `CREATE DATABASE ${name} OWNER shop`);
    const as = (user: string) =>
      Object.assign(new URL(`${server}/${name}`), { username: user, password: 'secret' }).href;
    await runSql(as('shop'), SHOP);
    return as;
  };

  test('an owner who comes before the administrator is told who has to make the roles', async t => {
    const as = await newDatabase('early');
    await storeAt(as('shop')).migrate();
    await assert.rejects(toldBy(t, as('shop')), {
      message: 'the role keyroster_reader is missing, and shop may not make roles',
      hint: /^A superuser, or a role with CREATEROLE, runs this file in this database once\.$/,
    });
  });

  test('its administrator makes the roles once, and the owner of the schema gives them their rights without CREATEROLE', async t => {
    const owner = 'roster_owner';
    const as = await newDatabase('shared');
    await runSql(as('shop'), `GRANT CREATE ON DATABASE shared TO ${owner}`);
    const rightsBefore = await rowsOf(t, as('shop'), RIGHTS);
    const [made] = await toldBy(t, as('hoster_admin'));
    assert.match(String(made), /^the roles are there; run "keyroster migrate", and then this file/);

    await storeAt(as(owner)).migrate();
    assert.deepEqual(await toldBy(t, as(owner)), []);
    assert.deepEqual(await toldBy(t, as(owner)), [], 'again, as after the next migrate');
    const again = await toldBy(t, as('hoster_admin'));
    assert.deepEqual(
      again.at(-1),
      `the roles are there; ${owner} has to run this file as well, as the owner of the schema`,
    );

    await runSql(
      `${server}/postgres`,
      "ALTER ROLE keyroster_operator PASSWORD 'secret'; ALTER ROLE keyroster_reader PASSWORD 'secret'",
    );
    const operator = await storeAt(as('keyroster_operator')).openWriter();
    const { id } = await createOrganization(operator).finally(() => operator.close());
    const reader = await readerOf(t, storeAt(as('keyroster_reader')));
    await reader.checkReadiness();
    assert.deepEqual((await reader.listApiKeys(id, { limit: 1, cursor: null, filter: {} }))?.items, []);

    assert.deepEqual(await rowsOf(t, as('shop'), RIGHTS), rightsBefore);
    await rowsOf(t, as('shop_app'), 'CREATE TEMPORARY TABLE own (a integer)');
    await rowsOf(t, as('shop_app'), 'SELECT * FROM orders');
    for (const role of ['keyroster_operator', 'keyroster_reader'])
      await assert.rejects(rowsOf(t, as(role), 'SELECT * FROM public.orders'), { code: '42501' });
  });
});

/** Runs the file. Returns what it said. */
async function toldBy(scope: Scope, url: string): Promise<unknown[]> {
  const client = await connect(scope, url);
  const told: unknown[] = [];
  client.on('notice', ({ message }) => told.push(message));
  await client.query(rolesFile);
  // Who isn't a superuser can't set these: docs/postgresql.md says what to do about it.
  return told.filter(message => !String(message).startsWith('a key in a refused row'));
}

async function rowsOf(scope: Scope, url: string, sql: string): Promise<unknown[]> {
  return (await (await connect(scope, url)).query(sql)).rows;
}
