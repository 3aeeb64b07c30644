import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { renderApiKey } from '../../../src/service/roster/api-key.ts';
import { type Finding, RowCheck, type StoredRow } from '../../../src/service/roster/check.ts';
import { apiKey } from '../../support/arbitraries.ts';
import { apiKeyCanary, assertNoTrace, mistyped } from '../../support/canaries.ts';
import { record } from '../../support/import-file.ts';
import { VENDOR } from '../../support/roster.ts';

const rowOf = (id: string, parts: Record<string, unknown> = {}, row: Partial<StoredRow> = {}): StoredRow => ({
  organizationId: 'org_example',
  id,
  record: JSON.stringify(record(id, parts)),
  ...row,
});

function findingsOf(...rows: StoredRow[]): Finding[] {
  const check = new RowCheck();
  for (const row of rows) check.add(row);
  assert.equal(check.keys, rows.length);
  return check.findings('correct them');
}

const problemsOf = (...rows: StoredRow[]) => findingsOf(...rows).map(({ problem }) => problem);

describe('the check of rows', () => {
  test('finds nothing in the row of any API key, also where its record begins with a space', () => {
    fc.assert(
      fc.property(apiKey(), key => {
        const row = { organizationId: 'org_example', id: key.id, record: renderApiKey(key) };
        const problems = problemsOf(row, { ...row, record: ` ${row.record}` });
        // A generated text may happen to be like a key, or have what its hint masks.
        const others = problems.filter(
          problem => !/partial_key_hint masks|looks like a full key/.test(problem),
        );
        assert.deepEqual(others, []);
      }),
    );
  });

  test('counts each fault by its field and rule, with the IDs of some keys', () => {
    const rows = Array.from({ length: 7 }, (_, number) => rowOf(`k${number}`, { status: 'live' }));
    const [status, created] = findingsOf(...rows, rowOf('k7', { status: 'dead', created_at: 'now' }));
    const problem = 'status: must be one of active, inactive, archived';
    const examples = ['k0', 'k1', 'k2', 'k3', 'k4'];
    assert.deepEqual(status, { about: 'rows', problem, count: 8, examples, fix: 'correct them' });
    assert.deepEqual([created?.count, created?.examples], [1, ['k7']]);
  });

  test("counts what is NULL, or empty as a NULL of a vendor's table is, as a value that breaks the rule", () => {
    const creator = { id: null, type: 'user' };
    assert.deepEqual(problemsOf(rowOf('k1', { status: '' }), rowOf('k2', { created_by: creator })), [
      'status: must be one of active, inactive, archived',
      'created_by.id: must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key',
    ]);
    assert.deepEqual(problemsOf(rowOf('k3', { workspace_id: null })), []);
  });

  test('finds keys that are never listed, as their organization is NULL or no ID', () => {
    const problems = problemsOf(
      rowOf('k1', {}, { organizationId: null }),
      rowOf('k2', {}, { organizationId: 'Example Ltd' }),
    );
    assert.deepEqual(problems, [
      'organization_id: must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key; else the key is never listed',
    ]);
  });

  test('finds what looks like a full key or a hash in any field, and does not show it', () => {
    const { key } = apiKeyCanary();
    const hash = key.slice(-64);
    const like = (field: string) => [`${field}: looks like a full key, or a hash of one`];
    const hint = `${hash.slice(0, 32)}...abcd`;
    for (const [row, field] of [
      [rowOf('k1', { name: key }), 'name'],
      [rowOf('k1', { name: `Key ${hash} of Ann` }), 'name'],
      [rowOf('k1', { partial_key_hint: hint }), 'partial_key_hint'],
      [rowOf('k1', { created_by: { id: hash, type: 'user' } }), 'created_by.id'],
      [rowOf('k1', { workspace_id: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' }), 'workspace_id'],
      [rowOf('k1', {}, { organizationId: hash }), 'organization_id'],
      [rowOf(hash, { name: 'Key' }), 'id'],
    ] as const)
      assert.deepEqual(problemsOf(row), like(field));
    assert.deepEqual(findingsOf(rowOf(hash, { name: 'Key' }))[0]?.examples, []);
    const [unmasked, ...others] = problemsOf(rowOf('k1', { partial_key_hint: hash, name: 'Key of Ann' }));
    assert.match(String(unmasked), /^partial_key_hint: must be masked/);
    assert.deepEqual(others, like('partial_key_hint'));
    assert.deepEqual(problemsOf(rowOf('apikey_01Rj2N8SVvo6BePZj99NhmiT', { name: 'CI' })), []);
  });

  test('finds a record that a quote or a backslash in a value has broken, or added to', () => {
    const whole = JSON.stringify(record('k1'));
    const broken =
      'record: is NULL, or an ID, the hint or a type has a quote, a backslash or a control character';
    for (const text of [
      whole.replace('"user_a"', '"us"er_a"'),
      whole.replace('"user_a"', '"us\\er_a"'),
      whole.replace('"user_a"', '"user_a","type":"user","id":"user_b"'),
      whole.replace('"active"', '"active","more":"x"'),
      whole.replace('"wrkspc_a"', '"wrkspc_a","id":"k2"'),
      whole.replace('k1', 'k2'),
      whole.replace('user_a', 'user_\\u0061'),
      '[]',
    ])
      assert.deepEqual(problemsOf({ organizationId: 'org_example', id: 'k1', record: text }), [broken], text);
    assert.deepEqual(problemsOf(rowOf('k1', {}, { record: null })), [broken]);
  });

  test('finds what is wrong in a record whose text has the form of a right one', () => {
    const whole = JSON.stringify(record('k1', { name: 'Key', created_at: '2024-02-28T00:00:00.000000Z' }));
    for (const [right, wrong, problem] of [
      ['2024-02-28', '2024-02-30', /^created_at: must be an RFC 3339 timestamp/],
      ['00:00:00', '24:00:00', /^created_at: must be an RFC 3339 timestamp/],
      ['"Key"', `"${'x'.repeat(1001)}"`, /^name: must be text of at most 1000 characters/],
      ['"Key"', '"\\u0000"', /^name: must be text .* without NUL/],
      ['"Key"', '"\ud800"', /^name: must be text .* broken surrogates/],
      ['"Key"', '"\\x"', /^record: is NULL, or/],
      ['"Key"', '"\u0001"', /^record: is NULL, or/],
      ['"Key"', `"${AdminKeySecret.issue(VENDOR).reveal()}"`, /^name: contains an admin key/],
    ] as const) {
      const row = { organizationId: 'org_example', id: 'k1', record: whole.replace(right, wrong) };
      assert.match(problemsOf(row)[0] ?? '', problem, wrong);
    }
  });

  test('shows no ID that is none, or that is a secret', () => {
    const { key, hint } = apiKeyCanary();
    const adminKey = AdminKeySecret.issue(VENDOR).reveal();
    const secrets = [key, adminKey, mistyped(adminKey)];
    const findings = secrets
      .flatMap(secret => [
        rowOf(secret, { partial_key_hint: hint, status: null }),
        rowOf('k1', { partial_key_hint: hint, name: secret }),
        rowOf('k2', { partial_key_hint: secret }),
        rowOf(`the key is ${secret}`),
      ])
      .flatMap(row => findingsOf(row));
    assert.ok(findings.length > 10);
    assertNoTrace(secrets, JSON.stringify(findings), 'the findings');
    assert.deepEqual(new Set(findings.flatMap(({ examples }) => examples)), new Set(['k1', 'k2']));
  });
});
