/** A table whose IDs are those of other services, which have more characters than Keyroster's own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { CREATE_TABLE, mappingJson, TABLE } from '../../support/adopted/simple-table.ts';
import { adopt, examine, vendorDatabase } from '../../support/adopted/vendor-database.ts';
import { readerOf, writerOf } from '../../support/opened.ts';
import { createAdminKey, now } from '../../support/roster.ts';
import { startService } from '../../support/service.ts';
import { storeAt } from '../../support/store-at.ts';

const ORGANIZATION = 'gid://shop/Team/7,a&b=c' as OrganizationId;
const OWNERS = [
  'auth0|6507f2a1c3d4e5f60718293a',
  "o'neil+keys@mail.example.com",
  'arn:aws:sts::123456789012:assumed-role/Deploy/i-0abcd1234ef567890',
  'gid://shop/Customer/4839201748392',
  'CN=Ana,OU=Keys,DC=example',
  'MDQ6VXNlcjEyMzQ1Njc4OQ==',
  '550e8400-e29b-41d4-a716-446655440000@clients',
];
/** Of each owner one, newest first. */
const IDS = OWNERS.map((_, index) => `key:${index}/a|b@c~d.${'x'.repeat(220)}`);

test('a table with the IDs of other services is adopted, and each of its pages is the table', async t => {
  const { url, client } = await vendorDatabase(t);
  await client.query(CREATE_TABLE);
  await client.query(
    `INSERT INTO ${TABLE} SELECT id, $1, 'Key', timestamptz '2026-01-01Z' - number * interval '1 s', owner, 'sk_1', '1234', true, ''
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS of (id, owner, number)`,
    [ORGANIZATION, IDS, OWNERS],
  );
  const mapping = {
    ...mappingJson,
    fields: { ...mappingJson.fields, workspace_id: { column: 'owner' } },
    filters: ['workspace_id', 'created_by_user_id'],
  };
  assert.deepEqual(await examine(url, mapping), { faults: [], warnings: [] });
  await adopt(url, mapping);

  const service = await startService(await readerOf(t, storeAt(url)));
  t.after(() => service.close());
  const writer = await writerOf(t, storeAt(url));
  await writer.createOrganization({ id: ORGANIZATION, name: 'Team', createdAt: now() });
  const secret = await createAdminKey(writer, ORGANIZATION);
  const list = async (query: Record<string, string>): Promise<{ id: string; owner: string }[]> => {
    const { body } = await service.list(secret, String(new URLSearchParams(query)));
    return body.data.map(
      ({
        id,
        created_by,
        workspace_id,
      }: {
        id: string;
        created_by: { id: string };
        workspace_id: string;
      }) => {
        assert.equal(workspace_id, created_by.id);
        return { id, owner: created_by.id };
      },
    );
  };
  const all = IDS.map((id, index) => ({ id, owner: OWNERS[index] }));
  assert.deepEqual(await list({}), all);
  for (const [index, { id, owner }] of all.entries()) {
    assert.deepEqual(await list({ after_id: id }), all.slice(index + 1));
    assert.deepEqual(await list({ created_by_user_id: String(owner), workspace_id: String(owner) }), [
      { id, owner },
    ]);
  }
});
