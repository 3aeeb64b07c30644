/** Rows of a vendor's table that break a rule of the contract: no constraint of Keyroster's keeps them out. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import { type AdoptedTable, serveTable } from '../../support/adopted/adopted-table.ts';
import { mixedCase } from '../../support/adopted/mixed-case.ts';
import { Vendor } from '../../support/adopted/vendor.ts';
import { setColumns } from '../../support/adopted/vendor-table.ts';
import { suiteScope } from '../../support/scope.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const KEYS = 9;
/** Whether a creation time is older than those of the other rows. */
const isOldest = (value: string | null) => value === '-infinity';
/** In no answer and in no log line, also where it is all of the value. */
const CANARY = `${'canary'.repeat(4)}`;

/** What the log calls the field, and the column's value. The time is newest, oldest or none of both, so each page may have it. */
const wrong: Readonly<Record<string, readonly [field: string, column: string, value: string | null]>> = {
  'an ID with a space': ['id', 'id', `${CANARY} 1`],
  'an ID that ends the JSON text': ['id', 'id', `${CANARY}","x":"`],
  'no creation time': ['created_at', 'createdAt', null],
  'a creation time of -infinity': ['created_at', 'createdAt', '-infinity'],
  'a hint that is not masked': ['partial_key_hint', 'keyHint', `sk_live_${CANARY}`],
  'a status that the mapping does not have': ['status', 'status', 'SUSPENDED'],
};

describe("a row of a vendor's table", () => {
  const scope = suiteScope();
  let served: AdoptedTable;
  let vendor: Vendor;
  let middle: ApiKey;
  beforeEach(async () => {
    if (served) await served.client.query(`TRUNCATE ${mixedCase.mapping.table}`);
    else await createTable();
    vendor = new Vendor(mixedCase, served, seededRandom(16));
    for (let time = 0; time < KEYS; time++) await vendor.put(vendor.newKey(BigInt(time) * 1_000_000n));
    middle = vendor.keys[Math.floor(KEYS / 2)] as ApiKey;
  });
  async function createTable() {
    served = await serveTable(scope, mixedCase);
    await served.client.query(`ALTER TYPE "Auth"."ApiKeyStatus" ADD VALUE 'SUSPENDED'`);
    for (const column of ['displayName', 'createdAt', 'ownerId', 'keyHint'])
      await served.client.query(`ALTER TABLE ${mixedCase.mapping.table} ALTER "${column}" DROP NOT NULL`);
  }
  /** Pages of one key until one fails or the last is reached. */
  const walk = async (direction: 'after' | 'before', cursor: string | null) => {
    const ids: string[] = [];
    let at = cursor;
    for (;;) {
      const query = at === null ? 'limit=1' : `limit=1&${direction}_id=${at}`;
      const { status, body } = await served.service.list(served.secret, query);
      if (status !== 200) return { ids, status, error: body.error };
      ids.push(...body.data.map((record: { id: string }) => record.id));
      at = body.first_id;
      if (!body.has_more) return { ids, status };
    }
  };

  for (const [what, [field, column, value]] of Object.entries(wrong)) {
    test(`with ${what} fails each page that would have it, in walks both ways, and the log names row and field`, async () => {
      await setColumns(served.client, mixedCase, middle.id, { [column]: value });
      const right = vendor.keys.filter(({ id }) => id !== middle.id);
      const start = served.service.logText().length;
      const oldest = right[0]?.id ?? null;
      // A walk back from the oldest key isn't to have an older one.
      const walks = [await walk('after', null), ...(isOldest(value) ? [] : [await walk('before', oldest)])];
      for (const { ids, status, error } of walks) {
        assert.equal(status, 500, `only ${ids.length} of ${KEYS} keys are listed`);
        assert.equal(error.message, 'an internal error; the request_id finds it in the log');
        for (const id of ids) assert(right.some(key => key.id === id));
      }
      const log = served.service.logText().slice(start);
      assert(log.includes(column === 'id' ? 'an API key whose ID breaks its rule' : middle.id), log);
      assert.match(log, new RegExp(`: ${field}: `));
      assert(!log.includes(CANARY.slice(4, 16)));
    });
  }

  test('with the ID of another row fails the page from there on, so that no walk misses one of them', async () => {
    const { client } = served;
    const table = mixedCase.mapping.table;
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT "ApiKey_pkey"`);
    const other = vendor.keys.find(({ id }) => id !== middle.id) as ApiKey;
    await setColumns(client, mixedCase, other.id, { id: middle.id });
    for (const direction of ['after', 'before'])
      assert.equal((await served.service.list(served.secret, `${direction}_id=${middle.id}`)).status, 500);
    assert.match(served.service.logText(), /several rows have the ID of the cursor/);
    await client.query(
      `TRUNCATE ${table}; ALTER TABLE ${table} ADD CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("orgId", "id")`,
    );
  });
});

describe("a vendor's table with row-level security", () => {
  const scope = suiteScope();

  test('is served whole to who may see all rows, and else not at all: no list is shorter than it should be', async t => {
    const { client, service, secret, ...served } = await serveTable(scope, mixedCase);
    await new Vendor(mixedCase, { client, ...served }, seededRandom(16)).insert(KEYS);
    const table = mixedCase.mapping.table;
    const owner = `owner_${process.pid}`;
    await client.query(`CREATE ROLE ${owner}; GRANT USAGE ON SCHEMA keyroster, "Auth" TO ${owner};
      ALTER TABLE ${table} OWNER TO ${owner}; ALTER VIEW keyroster.api_keys OWNER TO ${owner};
      ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY; CREATE POLICY none ON ${table} USING (false)`);
    t.after(() =>
      client.query(`REASSIGN OWNED BY ${owner} TO CURRENT_USER; DROP OWNED BY ${owner}; DROP ROLE ${owner}`),
    );
    assert.equal((await service.list(secret)).body.data.length, KEYS);
    await client.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
    assert.equal((await service.list(secret)).status, 503);
    assert.match(service.logText(), /query would be affected by row-level security policy/);
  });
});
