/** The organization of a key that another table has. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { examine } from '../../support/adopted/examine.ts';
import { type JoinedSchema, joinedSchemas, langfuse } from '../../support/adopted/joined-schemas.ts';
import { adopt } from '../../support/adopted/kinds.ts';
import { stateOfTable, type VendorDatabase, vendorDatabase } from '../../support/adopted/vendor-database.ts';
import { connect } from '../../support/connect.ts';
import { rounds } from '../../support/rounds.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';
import { storeAt } from '../../support/store-at.ts';

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
const TRANSACTIONS = 100;
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
    assert.deepEqual((await storeAt(database.url).check()).findings, []);
  });
