import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import { findAdminKey } from '../../../../src/service/postgres/pages/find-admin-key.ts';
import { pageStatement } from '../../../../src/service/postgres/pages/page-sql.ts';
import { PlacesInCitus } from '../../../../src/service/postgres/pages/places.ts';
import type { Reads, Statement } from '../../../../src/service/postgres/pages/reads.ts';
import { AdminKeySecret } from '../../../../src/service/roster/admin-key-secret.ts';
import { createCitusDatabase, skipWithoutCitus } from '../../../support/citus.ts';
import { connect } from '../../../support/connect.ts';
import { writerOf } from '../../../support/opened.ts';
import { pageShapes, SHAPE_VALUES } from '../../../support/page-shapes.ts';
import { createOrganization, now } from '../../../support/roster.ts';
import { atEndOf, suiteScope } from '../../../support/scope.ts';
import { type StoreOfTests, storeAt } from '../../../support/store-at.ts';

/** More than the database has shards. */
const MADE = 24;

// The suites of test/service/stores and the model run over Citus too when the URL is set.
describe('over Citus', { skip: skipWithoutCitus }, () => {
  const scope = suiteScope();
  let store: StoreOfTests;
  let client: Client;
  before(async () => {
    const { url, remove } = await createCitusDatabase();
    atEndOf(scope, remove);
    store = storeAt(url);
    await store.migrate();
    client = await connect(scope, url);
  });

  test('a revocation is final', async () => {
    const writer = await store.openWriter();
    const { id } = await createOrganization(writer, { revokedAt: now() }).finally(() => writer.close());
    const undo = 'UPDATE keyroster.admin_keys SET revoked_at = NULL WHERE organization_id = $1';
    await assert.rejects(client.query(undo, [id]), /a revocation is final/);
  });

  test('an admin key tells the shard, so that the worker of a known shard is not asked for', async t => {
    const writer = await writerOf(t, store);
    const asked: unknown[] = [];
    const lookups: Reads = {
      rows: async <Row extends unknown[]>({ name, text, values }: Statement) => {
        if (name === 'keyroster_place') asked.push(values[0]);
        return (await client.query({ text, values: [...values], rowMode: 'array' })).rows as Row[];
      },
    };
    const places = new PlacesInCitus(lookups);
    const shards = new Set<string>();
    for (let made = 0; made < MADE; made += 1) {
      const { id, secret } = await createOrganization(writer);
      const digest = AdminKeySecret.parse(secret)?.digest() as Uint8Array;
      assert.equal((await findAdminKey({ lookups, places }, digest, now()))?.organizationId, id);
      const place = await places.find(id);
      assert.deepEqual(place, await new PlacesInCitus(lookups).find(id));
      assert.equal(asked.pop(), id); // by the other one
      shards.add(place.part);
    }
    assert.equal(asked.length, shards.size);
    assert.ok(shards.size < MADE);
  });

  test('every page reads one shard in one task', async () => {
    for (const shape of pageShapes) {
      const { text, parameters } = pageStatement(shape);
      await client.query(`PREPARE page AS ${text}`);
      const literals = parameters.map(parameter => `'${SHAPE_VALUES[parameter]}'`).join(', ');
      const { rows } = await client.query(`EXPLAIN EXECUTE page(${literals})`);
      await client.query('DEALLOCATE page');
      assert.match(rows.map(row => row['QUERY PLAN']).join('\n'), /Task Count: 1\b/);
    }
  });
});
