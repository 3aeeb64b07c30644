/** What holds in an issuer's own transaction, whichever library has begun it. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { StoreReader } from '../../src/service/roster/pages/reader.ts';
import type { RosterWriter } from '../../src/service/roster/roster.ts';
import { writerIn } from '../../src/service/writer/writer-in.ts';
import { Refused } from '../../src/shared/record/faults.ts';
import { newId, type OrganizationId } from '../../src/shared/record/identifier.ts';
import { putRecord } from './import-file.ts';
import type { IssuingLibrary } from './issuing-libraries.ts';
import { newStore, readerOf, writerOf } from './opened.ts';
import { createOrganization } from './roster.ts';
import { runSql } from './run-sql.ts';
import { atEndOf, suiteScope } from './scope.ts';
import { startService } from './service.ts';
import type { TestStore } from './stores.ts';
import { until } from './until.ts';

const CONNECTIONS = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;

const options = { actor: 'the issuer', vendor: 'acme' };

export function describeOwnTransaction(library: IssuingLibrary): void {
  describe(`in the issuer's own transaction, by ${library.name}`, () => {
    const scope = suiteScope();
    let store: TestStore;
    let operator: RosterWriter;
    let reader: StoreReader;
    before(async () => {
      store = await newStore(scope);
      // A pool of a library resolves before its connections have ended.
      atEndOf(scope, () =>
        until('the connections have ended', async () => (await runSql(store.url, CONNECTIONS)).length === 0),
      );
      operator = await writerOf(scope, store);
      reader = await readerOf(scope, store);
      await runSql(store.url, 'CREATE TABLE issued_keys (id text PRIMARY KEY, digest text NOT NULL)');
    });
    const listed = async (organization: OrganizationId) => {
      const page = await reader.listApiKeys(organization, { limit: 1000, cursor: null, filter: {} });
      return page?.items.map(({ record }) => JSON.parse(record));
    };
    /** The issuer's own rows, the keys that are listed, and what is in the audit log of the issuer. */
    const outcome = async (organization: OrganizationId) => {
      const own = await runSql(store.url, 'SELECT id FROM issued_keys ORDER BY id');
      const entries = await operator.listAuditEntries({ organizationId: organization }, 0, 100);
      return {
        own: own.map(({ id }) => id),
        listed: (await listed(organization))?.map(({ id }) => id),
        acts: entries.flatMap(entry => (entry.actor === options.actor ? [entry.action] : [])),
      };
    };
    const newOrganization = async () => {
      await runSql(store.url, 'DELETE FROM issued_keys');
      return (await createOrganization(operator)).id;
    };

    test('a key and a row of the issuer are both committed, and listed at once', async () => {
      const organization = await newOrganization();
      await library.inTransaction(store.url, async ({ transaction, insertOwn }) => {
        await insertOwn('k1');
        const counts = await writerIn(transaction, options).put(organization, putRecord('k1'));
        assert.deepEqual(counts, { inserted: 1, updated: 0, unchanged: 0 });
        assert.deepEqual(await listed(organization), []);
      });
      assert.deepEqual(await listed(organization), [putRecord('k1')]);
      assert.deepEqual(await outcome(organization), { own: ['k1'], listed: ['k1'], acts: ['import'] });
    });

    test('neither is there when the issuer rolls back, whichever came first', async () => {
      const organization = await newOrganization();
      for (const last of ['put', 'own'])
        await assert.rejects(
          library.inTransaction(store.url, async ({ transaction, insertOwn }) => {
            const put = () => writerIn(transaction, options).put(organization, putRecord('k1'));
            for (const step of last === 'put' ? [() => insertOwn('k1'), put] : [put, () => insertOwn('k1')])
              await step();
            throw new Error('the issuer changed its mind');
          }),
          /changed its mind/,
        );
      assert.deepEqual(await outcome(organization), { own: [], listed: [], acts: [] });
    });

    test('neither is there when a put is refused and the issuer lets it through', async () => {
      const organization = await newOrganization();
      const put = library.inTransaction(store.url, async ({ transaction, insertOwn }) => {
        await insertOwn('k1');
        await writerIn(transaction, options).put('org_unknown', putRecord('k1'));
      });
      await assert.rejects(put, (error: unknown) => error instanceof Refused && error.faults.length === 1);
      assert.deepEqual(await outcome(organization), { own: [], listed: [], acts: [] });
    });

    test('what is refused is undone, and the transaction goes on', async () => {
      const organization = await newOrganization();
      await library.inTransaction(store.url, async ({ transaction, insertOwn }) => {
        const writer = writerIn(transaction, options);
        await insertOwn('k1');
        await writer.put(organization, putRecord('k1', { status: 'archived' }));
        const refused = [
          writer.put(organization, [putRecord('k2'), putRecord('k1')]),
          writer.put(organization, [putRecord('k3', { created_by: { id: 'a b', type: 'user' } })]),
          writer.setStatus(organization, ['k1', 'k9'], 'active'),
          writer.createAdminKey('org_unknown'),
          writer.createOrganization({ id: organization, name: 'Other' }),
          writer.revokeAdminKey('adminkey_unknown'),
        ];
        for (const each of await Promise.allSettled(refused)) {
          assert.equal(each.status, 'rejected');
          assert.ok(each.reason instanceof Refused, String(each.reason));
          assert.ok(each.reason.faults.length > 0);
        }
        await insertOwn('k4');
        await writer.put(organization, putRecord('k4'));
      });
      const expected = { own: ['k1', 'k4'], listed: ['k4', 'k1'], acts: ['import', 'import'] };
      assert.deepEqual(await outcome(organization), expected);
    });

    test('arguments count as they are at the call, whatever becomes of them', async () => {
      const organization = await newOrganization();
      const made = await library.inTransaction(store.url, async ({ transaction }) => {
        const writer = writerIn(transaction, options);
        const record = putRecord('k1');
        const records = [record];
        const put = writer.put(organization, records);
        Object.assign(record, { id: 'k2', created_by: { id: 'other', type: 'user' } });
        records.push(putRecord('k3'));
        const key = { workspace_id: 'w1', networks: ['127.0.0.1'] };
        const created = writer.createAdminKey(organization, key);
        delete (key as { workspace_id?: string }).workspace_id;
        key.networks.push('0.0.0.0/0');
        return [await put, await created] as const;
      });
      assert.deepEqual(await listed(organization), [putRecord('k1')]);
      assert.deepEqual([made[1].workspace_id, made[1].networks], ['w1', ['127.0.0.1']]);
    });

    test('calls of several writers over it wait for each other, so that none undoes what another did', async () => {
      const organization = await newOrganization();
      await library.inTransaction(store.url, async ({ transaction }) => {
        const calls = [organization, 'org_unknown', organization].map((id, at) =>
          writerIn(transaction, options).put(id, putRecord(`k${at}`)),
        );
        const ends = (await Promise.allSettled(calls)).map(({ status }) => status);
        assert.deepEqual(ends, ['fulfilled', 'rejected', 'fulfilled']);
      });
      assert.deepEqual((await outcome(organization)).listed, ['k2', 'k0']);
    });

    test('every act does what it does in a store that is opened', async t => {
      const service = await startService(reader);
      atEndOf(t, () => service.close());
      const id = newId<OrganizationId>('org');
      const name = '고객 "1" $1 {"$2":\\';
      const { secret, ...made } = await library.inTransaction(store.url, async ({ transaction }) => {
        const writer = writerIn(transaction, options);
        assert.equal((await writer.createOrganization({ id, name })).name, name);
        const records = [
          putRecord('k1', { name, workspace_id: null }),
          putRecord('k2', { created_at: '0000-01-01T00:00:00.000001Z' }),
        ];
        assert.equal((await writer.put(id, records)).inserted, 2);
        const changed = [{ ...records[0], name: 'New' } as never, records[1] as never];
        assert.deepEqual(await writer.put(id, changed), { inserted: 0, updated: 1, unchanged: 1 });
        const set = await writer.setStatus(id, ['k1', 'k2', 'k1'], 'inactive');
        assert.deepEqual(set, { changed: 2, unchanged: 0 });
        const expires_at = '2990-01-01T00:00:00.000001Z';
        return writer.createAdminKey(id, { expires_at, networks: ['127.0.0.0/8', '::1'] });
      });
      assert.deepEqual(
        (await listed(id))?.map(each => [each.id, each.name, each.status, each.created_at]),
        [
          ['k1', 'New', 'inactive', putRecord('k1').created_at],
          ['k2', 'Key k2', 'inactive', '0000-01-01T00:00:00.000001Z'],
        ],
      );
      assert.match(secret, /^acme-admin01-/);
      assert.equal((await service.list(secret)).status, 200);
      const revoked = await library.inTransaction(store.url, ({ transaction }) =>
        writerIn(transaction, options).revokeAdminKey(made.id),
      );
      assert.deepEqual({ ...revoked, revoked_at: null }, made);
      assert.equal((await service.list(secret)).status, 401);
      const acts = ['import', 'import', 'set_status', 'create_admin_key', 'revoke_admin_key'];
      assert.deepEqual((await outcome(id)).acts, ['create_organization', ...acts]);
    });
  });
}
