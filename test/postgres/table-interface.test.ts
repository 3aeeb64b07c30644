import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { suiteScope } from '../support/scope.ts';

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
