import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Issuer, startIssuer } from '../../support/issuer.ts';
import { suiteScope } from '../../support/scope.ts';

describe('the tables as an interface for issuers', () => {
  const scope = suiteScope();
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer(scope);
  });

  test('a row is listed once its transaction is committed, and not before', async () => {
    await issuer.query('BEGIN');
    await issuer.insert({ created_at: '2024-10-31 05:43:27.427722+05:45' });
    assert.deepEqual(await issuer.listed(), []);
    await issuer.query('COMMIT');
    const record = {
      id: 'apikey_1',
      type: 'api_key',
      name: 'Key',
      created_at: '2024-10-30T23:58:27.427722Z',
      created_by: { id: 'user_1', type: 'user' },
      partial_key_hint: 'sk-ven-api03-R2D...igAA',
      status: 'active',
      workspace_id: null,
    };
    assert.deepEqual(await issuer.listed(), [record]);

    await issuer.query('BEGIN');
    await issuer.query("UPDATE keyroster.api_keys SET status = 'archived', workspace_id = 'wrkspc_1'");
    assert.deepEqual(await issuer.listed(), [record]);
    await issuer.query('ROLLBACK');
    assert.deepEqual(await issuer.listed(), [record]);
    await issuer.query("UPDATE keyroster.api_keys SET status = 'archived', workspace_id = 'wrkspc_1'");
    assert.deepEqual(await issuer.listed(), [{ ...record, status: 'archived', workspace_id: 'wrkspc_1' }]);
  });

  test('values at the limit of a rule are accepted', async () => {
    const edges: Record<string, unknown>[] = [
      { id: 'a'.repeat(128), created_by_id: '-', workspace_id: '_' },
      { id: 'edge_1', name: '', created_by_type: 'service_account', status: 'inactive' },
      { id: 'edge_2', name: '\u{1F511}'.repeat(1000) },
      { id: 'edge_3', partial_key_hint: `${'s'.repeat(32)}...12345678` },
      { id: 'edge_4', partial_key_hint: 's...1', created_at: '0001-01-01 00:00:00Z BC' },
      { id: 'edge_5', created_at: '9999-12-31 23:59:59.999999Z' },
    ];
    const before = await issuer.listed();
    for (const edge of edges) await issuer.insert(edge);
    assert.equal((await issuer.listed()).length, before.length + edges.length);
  });
});

/** Functions and operators that shadow the ones used by the rules, and return wrong results. */
const SHADOWING_SCHEMA = `
  CREATE SCHEMA shadow;
  CREATE FUNCTION shadow.to_json(text) RETURNS text LANGUAGE sql RETURN '"x","partial_key_hint":"sk-ven-whole-key"';
  CREATE FUNCTION shadow.to_char(timestamp, text) RETURNS text LANGUAGE sql RETURN 'never';
  CREATE FUNCTION shadow.no(text, text) RETURNS boolean LANGUAGE sql RETURN false;
  CREATE OPERATOR shadow.= (LEFTARG = text, RIGHTARG = text, FUNCTION = shadow.no);
  CREATE OPERATOR shadow.<> (LEFTARG = text, RIGHTARG = text, FUNCTION = shadow.no);
  CREATE OPERATOR shadow.~ (LEFTARG = text, RIGHTARG = text, FUNCTION = shadow.no);
  SET search_path = shadow, pg_catalog`;

test("an issuer's own schema changes neither the record nor the rules", async t => {
  const issuer = await startIssuer(t);
  await issuer.query(SHADOWING_SCHEMA);
  await issuer.insert({ name: 'Key', status: 'archived', created_at: '2024-10-30 23:58:27.427722Z' });
  const [record] = await issuer.listed();
  assert.equal(record?.name, 'Key');
  assert.equal(record?.created_at, '2024-10-30T23:58:27.427722Z');
  assert.equal(record?.partial_key_hint, 'sk-ven-api03-R2D...igAA');

  const update = (change: string) => issuer.query(`UPDATE keyroster.api_keys SET ${change}`);
  await assert.rejects(update("status = 'active'"), { message: 'archived is final' });
  await assert.rejects(update("created_by_id = 'user_2'"), /never change/);
  await assert.rejects(update("partial_key_hint = 'sk-ven-whole-key'"), /api_keys_partial_key_hint_check/);
  await assert.rejects(issuer.query('DELETE FROM keyroster.api_keys'), /never deleted/);
  assert.deepEqual(await issuer.listed(), [record]);
});
