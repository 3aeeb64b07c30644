import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiKeyId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { connect } from '../../support/connect.ts';
import { newStore, writerOf } from '../../support/opened.ts';
import { createOrganization } from '../../support/roster.ts';
import type { Scope } from '../../support/scope.ts';

const insert = (organization: OrganizationId, id: string, createdAt: string) =>
  `INSERT INTO keyroster.api_keys
     (organization_id, id, name, created_at, created_by_id, created_by_type, partial_key_hint)
   VALUES ('${organization}', '${id}', 'Key', ${createdAt}, 'user_1', 'user', 'sk-ven-R2D...igAA')`;

/** An issuer is slow: another one's key is committed between its insert and its commit. */
async function slowAndQuick(scope: Scope, createdAt: string) {
  const store = await newStore(scope);
  const writer = await writerOf(scope, store);
  const { id: organization } = await createOrganization(writer);
  const [slow, quick] = [await connect(scope, store.url), await connect(scope, store.url)];
  await quick.query(insert(organization, 'before_both', createdAt));
  await slow.query('BEGIN');
  await slow.query(insert(organization, 'slow', createdAt));
  await quick.query(insert(organization, 'quick', createdAt));
  const commitSlow = () => slow.query('COMMIT');
  const list = async (before?: string) => {
    const cursor = before === undefined ? null : { direction: 'before' as const, id: before as ApiKeyId };
    const page = await writer.listApiKeys(organization, { limit: 1000, cursor, filter: {} });
    return page?.items.map(({ id }) => id);
  };
  return { commitSlow, list };
}

describe('a key whose transaction ends after that of a newer key', () => {
  for (const createdAt of ['DEFAULT', 'clock_timestamp()'])
    test(`isn't before the newer one, so who asks for what is before that never gets it (created_at: ${createdAt})`, async t => {
      const { commitSlow, list } = await slowAndQuick(t, createdAt);
      assert.deepEqual(await list(), ['quick', 'before_both']);
      await commitSlow();
      assert.deepEqual(await list('quick'), []);
    });

  test('is there for who asks from an older key on, as docs/api.md says, and for every new walk', async t => {
    const { commitSlow, list } = await slowAndQuick(t, 'DEFAULT');
    assert.deepEqual(await list('before_both'), ['quick']);
    await commitSlow();
    assert.deepEqual(await list('before_both'), ['quick', 'slow']);
    assert.deepEqual(await list(), ['quick', 'slow', 'before_both']);
  });
});
