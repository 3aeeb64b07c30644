/** The organization of a key that another table has. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adoptionIn } from '../../../src/operator/adopt/open-adoption.ts';
import { checkStore } from '../../../src/operator/check-store.ts';
import { type JoinedSchema, joinedSchemas, langfuse } from '../../support/adopted/joined-schemas.ts';
import { newRole } from '../../support/adopted/role.ts';
import {
  adopt,
  examine,
  type VendorDatabase,
  vendorDatabase,
} from '../../support/adopted/vendor-database.ts';
import { connect } from '../../support/connect.ts';
import { rounds } from '../../support/rounds.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';
import { storeAt } from '../../support/store-at.ts';
import { until } from '../../support/until.ts';

async function databaseOf(t: Scope, { sql }: JoinedSchema): Promise<VendorDatabase> {
  const database = await vendorDatabase(t);
  const name = new URL(database.url).pathname.slice(1);
  await database.client.query(`ALTER DATABASE ${name} SET deadlock_timeout = '20ms'; ${sql}`);
  return database;
}

async function adopted(t: Scope, schema: JoinedSchema = langfuse): Promise<VendorDatabase> {
  const database = await databaseOf(t, schema);
  await adopt(database.url, schema.mapping);
  return database;
}

/** The keys whose organization as listed isn't that of a plain join, at one moment. */
async function differences({ client }: VendorDatabase, { plain }: JoinedSchema): Promise<unknown[]> {
  const { rows } = await client.query(
    `WITH listed AS (SELECT id, organization_id FROM keyroster.api_keys WHERE organization_id IS NOT NULL), joined AS (${plain})
     (TABLE listed EXCEPT TABLE joined) UNION ALL (TABLE joined EXCEPT TABLE listed)`,
  );
  return rows;
}

const WRITERS = 4;
const TRANSACTIONS = 60;
/** A deadlock, and a row that another has deleted or moved. */
const UNDONE = ['40P01', '23503', '23505'];

/** What an application does, over its own connection, until `isDone`. Returns how many of its transactions were committed. */
async function write(
  t: Scope,
  url: string,
  { writes }: JoinedSchema,
  isDone: () => boolean,
): Promise<number> {
  const client = await connect(t, url);
  let committed = 0;
  for (let n = 0; n < rounds(TRANSACTIONS) || !isDone(); n++) {
    const some = Array.from({ length: 1 + (n % 3) }, () => writes[Math.floor(Math.random() * writes.length)]);
    try {
      await client.query(`BEGIN; ${some.join('; ')}; COMMIT`);
      committed += 1;
    } catch (error) {
      await client.query('ROLLBACK');
      assert(UNDONE.includes(`${(error as { code?: string }).code}`), `${some}: ${error}`);
    }
  }
  return committed;
}

for (const schema of joinedSchemas)
  test(`${schema.project}: what is listed is what a plain join finds, while all tables are written, and the adoption begins`, async t => {
    const database = await databaseOf(t, schema);
    let isDone = false;
    const writing = Array.from({ length: WRITERS }, () => write(t, database.url, schema, () => isDone));
    try {
      await adopt(database.url, schema.mapping);
      for (let look = 0; look < 20; look++) assert.deepEqual(await differences(database, schema), []);
    } finally {
      isDone = true;
    }
    const committed = (await Promise.all(writing)).reduce((sum, each) => sum + each);
    assert(committed > WRITERS * TRANSACTIONS * 0.5, `${committed} transactions`);
    assert.deepEqual(await differences(database, schema), []);
    assert.deepEqual((await checkStore(storeAt(database.url))).findings, []);
  });

describe('the column of the organization', () => {
  test('is kept for whoever may write the tables and nothing else, in any session, and is not theirs to change', async t => {
    const database = await adopted(t);
    const { client } = database;
    const asApp = await newRole(
      t,
      database,
      app => `GRANT INSERT, UPDATE (keyroster_organization_id, project_id), SELECT ON api_keys TO ${app};
        GRANT UPDATE (org_id), SELECT (id) ON projects TO ${app}`,
    );
    const writing = await connect(t, asApp);
    await writing.query(`SET search_path = ''`);
    const insert = `INSERT INTO public.api_keys (id, public_key, hashed_secret_key, display_secret_key, project_id, keyroster_organization_id)`;
    await writing.query(`${insert} VALUES ('new', 'pk', 'x', 'sk...abcd', 'p1', 'org4')`);
    await writing.query(`UPDATE public.api_keys SET keyroster_organization_id = 'org1'`);
    await writing.query(`UPDATE public.projects SET org_id = 'org3'`);
    await client.query(
      `SET session_replication_role = replica; UPDATE projects SET org_id = 'org4' WHERE id < 'p5'; RESET session_replication_role`,
    );
    assert.deepEqual(await differences(database, langfuse), []);
  });

  test('never makes a write fail: tables and columns may be renamed, and dropped', async t => {
    const database = await adopted(t);
    const { client } = database;
    await client.query(`ALTER TABLE projects RENAME TO spaces; ALTER TABLE spaces RENAME id TO space_id; ALTER TABLE spaces RENAME org_id TO owner;
      ALTER TABLE api_keys RENAME project_id TO space_id; ALTER TABLE api_keys ADD more text; UPDATE spaces SET owner = 'org2'`);
    const renamed = { ...langfuse, plain: 'SELECT k.id, owner FROM api_keys k JOIN spaces USING (space_id)' };
    assert.deepEqual(await differences(database, renamed), []);
    await client.query(`DROP TABLE spaces CASCADE; INSERT INTO api_keys (id, public_key, hashed_secret_key, display_secret_key, space_id)
      VALUES ('late', 'pk', 'x', 'sk...abcd', 'p1')`);
  });

  test('a move waits for an insert that is not committed, and is refused where it could not see that one', async t => {
    const database = await adopted(t);
    const { client, url } = database;
    const [inserting, moving] = [await connect(t, url), await connect(t, url)];
    await moving.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM projects');
    await inserting.query(`BEGIN; INSERT INTO api_keys (id, public_key, hashed_secret_key, display_secret_key, project_id)
      VALUES ('new', 'pk', 'x', 'sk...abcd', 'p1')`);
    const move = `UPDATE projects SET org_id = 'org4' WHERE id = 'p1'`;
    await assert.rejects(
      moving.query(move),
      /the organization of API keys changes here: do it in a transaction of READ COMMITTED/,
    );
    await moving.query('ROLLBACK');
    const moved = moving.query(move);
    await until(
      'the move waits',
      async () => (await client.query(`SELECT FROM pg_locks WHERE NOT granted`)).rows.length > 0,
    );
    await inserting.query('COMMIT');
    await moved;
    assert.deepEqual(await differences(database, langfuse), []);
  });

  test('may come by other joins, in another order: the triggers of those before are gone, and no write fails', async t => {
    const [, schema] = joinedSchemas as [JoinedSchema, JoinedSchema];
    const database = await adopted(t, schema);
    const { fields } = schema.mapping;
    const { joins } = fields.organization_id as unknown as { joins: object[] };
    const adoptJoins = (joins: object[]) =>
      adopt(database.url, { ...schema.mapping, fields: { ...fields, organization_id: { joins } } });
    await adoptJoins(joins.toReversed());
    for (const sql of [
      'INSERT INTO teams VALUES (13, 77), (14, 78)',
      'UPDATE teams SET id = id + 100',
      'DELETE FROM users WHERE id < 7',
    ]) {
      await database.client.query(sql);
      assert.deepEqual(await differences(database, schema), [], sql);
    }
    await adoptJoins(joins.slice(0, 1));
    for (const table of ['teams', 'users'])
      await database.client.query(`DELETE FROM ${table}; TRUNCATE ${table}`);
    assert.deepEqual(
      (await checkStore(storeAt(database.url))).findings.filter(({ about }) => about !== 'rows'),
      [],
    );
  });

  test("is filled by writes that the table's own triggers see as any other, in the search path that they expect", async t => {
    const database = await databaseOf(t, langfuse);
    await database.client.query(`CREATE TABLE written (id text);
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO written VALUES (NEW.id); RETURN NEW; END $$;
      CREATE TRIGGER note AFTER UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION note()`);
    await adopt(database.url, langfuse.mapping);
    assert.deepEqual(await differences(database, langfuse), []);
    const { rows } = await database.client.query('SELECT count(*) > 0 AS some FROM written');
    assert.deepEqual(rows, [{ some: true }]);
  });

  test('follows a value that is equal to PostgreSQL, and another text', async t => {
    const schema = {
      ...langfuse,
      sql: `${langfuse.sql}; ALTER TABLE projects DROP CONSTRAINT projects_org_id_fkey, ALTER org_id TYPE numeric USING 1`,
    };
    const database = await adopted(t, schema);
    await database.client.query('UPDATE projects SET org_id = 1.0');
    const plain =
      'SELECT k.id, p.org_id::text AS organization FROM api_keys k JOIN projects p ON p.id = k.project_id';
    assert.deepEqual(await differences(database, { ...schema, plain }), []);
  });

  test('is not of a row that was deleted and inserted anew by who could not see a new key', async t => {
    const { url, client } = await adopted(t, joinedSchemas[1]);
    const gone = 'DELETE FROM teams WHERE id = 1';
    const moving = await connect(t, url);
    await moving.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${gone}`);
    await assert.rejects(
      moving.query('INSERT INTO teams VALUES (1, 77)'),
      /in a transaction of READ COMMITTED/,
    );
    await moving.query('ROLLBACK');
    await client.query(`BEGIN; ${gone}; INSERT INTO teams VALUES (1, 77); ROLLBACK`);
  });

  test('is made by the owner of all tables only: no trigger of theirs runs as a superuser', async t => {
    const database = await databaseOf(t, langfuse);
    const owner = `owner_${process.pid}`;
    await database.client.query(`CREATE ROLE ${owner}; ALTER TABLE projects OWNER TO ${owner}`);
    atEndOf(t, () => database.client.query(`DROP OWNED BY ${owner} CASCADE; DROP ROLE ${owner}`));
    const refused = new RegExp(
      `the triggers of joins would run as this role on .*projects, which ${owner} owns: run it as that`,
    );
    await assert.rejects(adopt(database.url, langfuse.mapping), refused);
  });

  test('is watched by check, mended by another run, and taken back with the triggers', async t => {
    const database = await databaseOf(t, langfuse);
    const { client, url } = database;
    const made = async () =>
      (
        await client.query(`SELECT attrelid::regclass::text || '.' || attname AS name FROM pg_attribute WHERE attname LIKE 'keyroster%'
          UNION ALL SELECT tgname FROM pg_trigger WHERE tgname LIKE 'zz%'
          UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'keyroster'::regnamespace AND proname LIKE 'join%'`)
      ).rows.length;
    await adopt(url, langfuse.mapping);
    await client.query(`ALTER TABLE projects DISABLE TRIGGER zz_keyroster_moved_0; ALTER TABLE api_keys ENABLE TRIGGER zz_keyroster_update;
      DROP TRIGGER zz_keyroster_insert ON api_keys; UPDATE projects SET org_id = 'org1' WHERE id = 'p2'`);
    const problems = async () => (await checkStore(storeAt(url))).findings.map(({ problem }) => problem);
    assert.deepEqual(await problems(), [
      'triggers are gone, or not enabled always: zz_keyroster_insert of "public"."api_keys", zz_keyroster_update of "public"."api_keys", zz_keyroster_moved_0 of "public"."projects"',
      'organization_id: 250 rows differ from what the joins find',
    ]);
    await adopt(url, langfuse.mapping);
    assert.deepEqual(await problems(), []);
    assert((await made()) > 9);
    await (await adoptionIn(storeAt(url))).remove(() => {});
    assert.equal(await made(), 0);
  });
});

describe('joins of a mapping', () => {
  const joined = (join: object) => {
    const joins = [{ from: 'project_id', table: 'public.projects', key: 'id', column: 'org_id', ...join }];
    const organization_id = { joins };
    return { ...langfuse.mapping, fields: { ...langfuse.mapping.fields, organization_id } };
  };
  const wrong: [join: object, problem: RegExp][] = [
    [
      { key: 'name' },
      /"public"\."projects": name has no unique index of its own, so that a key could be of two organizations/,
    ],
    [
      { column: 'signing_secret' },
      /"public"\."projects": signing_secret has full keys or hashes of keys, by its name/,
    ],
    [{ from: 'projectId' }, /column api_keys\.projectId does not exist/],
    [{ from: 'created_at' }, /operator does not exist: text = timestamp/],
    [{ table: 'public.project' }, /relation "public.project" does not exist/],
  ];
  test('are refused where they do not fit, and warn of rows that they find nothing for', async t => {
    const { client, url } = await databaseOf(t, langfuse);
    await client.query('ALTER TABLE projects ADD signing_secret text');
    assert.deepEqual(await examine(url, langfuse.mapping), { faults: [], warnings: [] });
    for (const [join, problem] of wrong) {
      const faults = await examine(url, joined(join)).then(
        ({ faults }) => JSON.stringify(faults.map(each => each.problem)),
        String,
      );
      assert.match(faults.replaceAll('\\"', '"'), problem);
    }
    const { warnings } = await examine(url, joined({ when: { note: 'none' } }));
    assert.match(
      warnings[0]?.problem ?? '',
      /^1000 of 1000 sampled rows break its rule: .*; NULL only with "unlisted": true$/,
    );
  });
});
