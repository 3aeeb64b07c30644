/** A migration of several tables, while issuers insert API keys: these lock the table, and then that of their foreign key. */

import { test } from 'node:test';
import type { Client } from 'pg';
import { applyMigration } from '../../../src/service/postgres/migrations/apply-migration.ts';
import { type Migration, migrations } from '../../../src/service/postgres/migrations/schema.ts';
import type { ApiKeyId } from '../../../src/shared/record/identifier.ts';
import { connect } from '../../support/connect.ts';
import { newStore, writerOf } from '../../support/opened.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import type { Scope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { TEST_ACTOR } from '../../support/store-at.ts';
import { until } from '../../support/until.ts';

const alter = (table: string) => `ALTER TABLE keyroster.${table} ADD COLUMN note text`;
/** While which each issuer comes to wait for a lock that the migration has. */
const MEANWHILE = 'SELECT pg_sleep(0.2)';

test('a migration that changes organizations before API keys ends while issuers insert', async t => {
  const { client, startIssuers } = await storeWithIssuers(t);
  const { end } = startIssuers();
  const migration: Migration = {
    statements: [alter('organizations'), MEANWHILE, alter('api_keys')],
    usableFrom: migrations.length,
  };
  const number = migrations.length + 1;
  await applyMigration(client, () => {}, { actor: TEST_ACTOR, number, migration });
  await end();
});

test('whoever writes API keys, by SQL or by the library, locks organizations after them', async t => {
  const { client, startIssuers } = await storeWithIssuers(t);
  await client.query('BEGIN; LOCK TABLE keyroster.api_keys');
  const { allWait, end } = startIssuers();
  await allWait();
  await client.query('LOCK TABLE keyroster.organizations NOWAIT');
  await client.query('ROLLBACK');
  await end();
});

async function storeWithIssuers(scope: Scope) {
  const store = await newStore(scope);
  const writer = await writerOf(scope, store);
  const { id: organization } = await createOrganization(writer);
  await importKeys(writer, organization, numberedKeys(1));
  const keys = (id: string) => numberedKeys(1).map(key => ({ ...key, id: id as ApiKeyId }));
  const insert = async (client: Client, id: string) =>
    client.query(
      `INSERT INTO keyroster.api_keys (organization_id, id, name, created_by_id, created_by_type, partial_key_hint)
       VALUES ($1, $2, 'Key', 'user_1', 'user', 'sk...0000')`,
      [organization, id],
    );
  const [one, other] = [await connect(scope, store.url), await connect(scope, store.url)];
  const open = () => writerOf(scope, store);
  const [putting, feeding, setting, importing] = [await open(), await open(), await open(), await open()];
  const issuers: ((count: number) => Promise<unknown>)[] = [
    count => insert(one, `one_${count}`),
    count => insert(other, `other_${count}`),
    count => putting.putApiKeys(organization, keys(`put_${count}`)),
    count => feeding.feedApiKeys(keys(`fed_${count}`).map(key => ({ organizationId: organization, key }))),
    () => setting.setStatus(organization, [numberedKeys(1)[0]?.id as ApiKeyId], 'active'),
    count => importKeys(importing, organization, keys(`imported_${count}`)),
  ];
  const watching = await connect(scope, store.url);
  return {
    client: await connect(scope, store.url),
    /** Each writes again and again until the end, which rejects where one could not. */
    startIssuers: () => {
      let isEnded = false;
      const issuing = Promise.all(
        issuers.map(async issue => {
          for (let count = 0; !isEnded; count += 1) await issue(count);
        }),
      );
      return {
        allWait: () =>
          until('each issuer waits', async () => {
            const { rowCount } = await watching.query(
              "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
            );
            return rowCount === issuers.length;
          }),
        end: async () => {
          isEnded = true;
          await issuing;
        },
      };
    },
  };
}
