import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import { timestamptz } from '../../../src/postgres/timestamp.ts';
import type { ApiKey } from '../../../src/roster/api-key.ts';
import type { CreatorId } from '../../../src/roster/identifier.ts';
import type { RosterWriter } from '../../../src/roster/roster.ts';
import { type CitusDatabase, createCitusDatabase, skipWithoutCitus } from '../../support/citus.ts';
import { connect } from '../../support/connect.ts';
import { lockIsWaitedFor } from '../../support/lock-is-waited-for.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { atEndOf, suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { storeAt } from '../../support/store-at.ts';

const createdBy = { id: 'user_1' as CreatorId, type: 'user' } as const;
const numbered = numberedKeys(5);
const keys = (name: string): ApiKey[] =>
  numbered.map(key => ({ ...key, name, createdBy, status: 'active', workspaceId: null }));

describe('writers of the same API keys over Citus', { skip: skipWithoutCitus }, () => {
  const scope = suiteScope();
  let database: CitusDatabase;
  let writer: RosterWriter;
  let issuer: Client;
  before(async () => {
    database = await createCitusDatabase();
    atEndOf(scope, database.remove);
    await storeAt(database.url).migrate();
    writer = await storeAt(database.url).openWriter();
    atEndOf(scope, () => writer.close());
    issuer = await connect(scope, database.url);
  });
  const aWriterWaits = () => lockIsWaitedFor(...database.workers.map(({ url }) => url));

  /** Has the issuer insert keys of these IDs, and the writer import keys that wait for them until the issuer commits. */
  async function importWhile(theirs: readonly ApiKey[], ours: readonly ApiKey[], options = {}) {
    const { id: organization } = await createOrganization(writer);
    await issuer.query('BEGIN');
    for (const { id, createdAt, name, partialKeyHint } of theirs)
      await issuer.query(
        `INSERT INTO keyroster.api_keys (organization_id, id, name, created_at, created_by_id, created_by_type,
           partial_key_hint) VALUES ($1, $2, $3, $4, 'user_1', 'user', $5)`,
        [organization, id, name, timestamptz(createdAt), partialKeyHint],
      );
    const importing = importKeys(writer, organization, ours, options);
    await aWriterWaits();
    await issuer.query('COMMIT');
    const names = async () =>
      (
        await issuer.query(
          'SELECT DISTINCT name FROM keyroster.api_keys WHERE organization_id = $1 ORDER BY name',
          [organization],
        )
      ).rows.map(({ name }) => name);
    return { importing, names };
  }

  test('an import updates keys that an issuer has inserted meanwhile, and counts them so', async () => {
    const { importing, names } = await importWhile(keys('Theirs').slice(2), keys('Ours'));
    assert.deepEqual(await importing, { inserted: 2, updated: 3, unchanged: 0, refused: 0, refusals: [] });
    assert.deepEqual(await names(), ['Ours']);
  });
});
