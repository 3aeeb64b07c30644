import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NewField } from '../../../src/service/roster/writes/new-field.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { connect } from '../../support/connect.ts';
import { newStore, writerOf } from '../../support/opened.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const fields: readonly NewField[] = [
  { name: 'last_used_at', type: { kind: 'timestamp' } },
  { name: 'calls', type: { kind: 'integer' } },
  { name: 'rotates', type: { kind: 'boolean' } },
  { name: 'order', type: { kind: 'one-of', values: ["it's", 'a\\b'] } },
  { name: 'note', type: { kind: 'text', max_length: 3 } },
];
const PAGE = { limit: 20, cursor: null, filter: {} };

describe('declared fields in PostgreSQL', async () => {
  const scope = suiteScope();
  const store = await newStore(scope);
  const writer = await writerOf(scope, store);
  const client = await connect(scope, store.url);
  const { id } = await createOrganization(writer);
  await importKeys(writer, id, [numberedKey(1)]);
  for (const field of fields) await writer.addField(field);

  const declaredIn = async (organization: OrganizationId) => {
    const page = await writer.listApiKeys(organization, PAGE);
    const { last_used_at, calls, rotates, order, note } = JSON.parse(page?.items[0]?.record ?? '');
    return { last_used_at, calls, rotates, order, note };
  };
  const set = (values: string) => client.query(`UPDATE keyroster.api_keys SET ${values}`);

  test('are columns that an issuer writes, whatever the settings of the session are', async () => {
    await client.query("SET TimeZone = 'Asia/Kathmandu'; SET DateStyle = 'German'");
    await set(
      `last_used_at = '2026-01-02 03:04:05.000001+01', calls = -9007199254740991, rotates = false, "order" = 'it''s', note = 'é🗝"'`,
    );
    assert.deepEqual(await declaredIn(id), {
      last_used_at: '2026-01-02T02:04:05.000001Z',
      calls: -9007199254740991,
      rotates: false,
      order: "it's",
      note: 'é🗝"',
    });
  });

  const refused = [
    "last_used_at = 'infinity'",
    "last_used_at = '10000-01-01 00:00:00+00'",
    'calls = 9007199254740992',
    `"order" = 'other'`,
    "note = ''",
    "note = '1234'",
  ];
  for (const values of refused)
    test(`refuse ${values}`, () => assert.rejects(set(values), /violates check constraint/));

  test('may be written by whoever may write names', async () => {
    const role = `keyroster_fields_${process.pid}`;
    await client.query(`CREATE ROLE ${role}; GRANT UPDATE (name) ON keyroster.api_keys TO ${role}`);
    await writer.addField({ name: 'uses', type: { kind: 'integer' } });
    const right = await client.query(
      "SELECT has_column_privilege($1, 'keyroster.api_keys', 'uses', 'UPDATE') AS uses, has_column_privilege($1, 'keyroster.api_keys', 'calls', 'UPDATE') AS calls",
      [role],
    );
    assert.deepEqual(right.rows, [{ uses: true, calls: false }]);
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await writer.removeField('uses');
  });
});
