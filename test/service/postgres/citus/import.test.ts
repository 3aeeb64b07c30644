import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import { timestamptz } from '../../../../src/service/postgres/timestamp.ts';
import type { ApiKey } from '../../../../src/service/roster/api-key.ts';
import type { RosterWriter } from '../../../../src/service/roster/roster.ts';
import type { CreatorId, OrganizationId } from '../../../../src/shared/record/identifier.ts';
import { type CitusDatabase, createCitusDatabase, skipWithoutCitus } from '../../../support/citus.ts';
import { connect } from '../../../support/connect.ts';
import { writerOf } from '../../../support/opened.ts';
import { createOrganization, importKeys, importLines } from '../../../support/roster.ts';
import { lockIsWaitedFor } from '../../../support/run-sql.ts';
import { atEndOf, suiteScope } from '../../../support/scope.ts';
import { numberedKeys } from '../../../support/seeded-service.ts';
import { storeAt } from '../../../support/store-at.ts';

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
    writer = await writerOf(scope, storeAt(database.url));
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

  test('of several organizations, keys that an issuer has made the same meanwhile are unchanged, and archived ones are refused', async () => {
    const organizations: OrganizationId[] = [];
    for (let made = 0; made < 4; made += 1) organizations.push((await createOrganization(writer)).id);
    const linesOf = (listed: readonly ApiKey[]) =>
      organizations
        .flatMap(organizationId => listed.map(key => ({ organizationId, key })))
        .map((each, index) => ({ line: index + 1, ...each }));
    await importLines(writer, linesOf(keys('Old')));
    const [same, archived] = numbered.map(({ id }) => id);
    await issuer.query('BEGIN');
    for (const id of organizations)
      await issuer.query(
        `UPDATE keyroster.api_keys SET name = 'Ours', status = CASE WHEN id = $3 THEN 'archived' ELSE status END
         WHERE organization_id = $1 AND id IN ($2, $3)`,
        [id, same, archived],
      );
    const ours = keys('Ours').map((key, index) =>
      index < 4 ? key : { ...key, status: 'inactive' as const },
    );
    const importing = importLines(writer, linesOf(ours), { skipRefused: true });
    await aWriterWaits();
    await issuer.query('COMMIT');
    const result = await importing;
    const counts = { created: false, inserted: 0, updated: 3, unchanged: 1, refused: 1 };
    assert.deepEqual(
      result.organizations,
      organizations.map(organizationId => ({ organizationId, ...counts })),
    );
    assert.ok(result.importId);
    const reverted = await writer.revertImport(result.importId, {});
    assert.deepEqual(
      reverted.map(({ statuses }) => statuses),
      [1, 1, 1, 1],
    );
  });
});
