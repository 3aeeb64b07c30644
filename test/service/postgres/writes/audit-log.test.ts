import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Client } from 'pg';
import { parseActor } from '../../../../src/service/roster/actor.ts';
import { ACTIONS } from '../../../../src/service/roster/writes/audit-log.ts';
import { newStore, writerOf } from '../../../support/opened.ts';
import { createOrganization } from '../../../support/roster.ts';
import { runSql } from '../../../support/run-sql.ts';
import { atEndOf, suiteScope } from '../../../support/scope.ts';
import type { TestStore } from '../../../support/stores.ts';

const ROLE = 'audit_log_issuer';

describe('a role that may insert entries of the audit log', () => {
  const scope = suiteScope();
  let store: TestStore;
  let client: Client;
  before(async () => {
    store = await newStore(scope);
    await runSql(
      store.url,
      `CREATE ROLE ${ROLE} LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA keyroster TO ${ROLE};
       GRANT SELECT, INSERT ON keyroster.audit_log TO ${ROLE}`,
    );
    atEndOf(scope, () => runSql(store.url, `DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`));
    client = new Client(Object.assign(new URL(store.url), { username: ROLE, password: 'secret' }).href);
    await client.connect();
    atEndOf(scope, () => client.end());
  });

  test("can't choose its time or its database user", async () => {
    const { rows } = await client.query(
      `INSERT INTO keyroster.audit_log (recorded_at, database_user, actor, action, details)
       VALUES ('2001-01-01', 'postgres', 'alice', 'import', '{}')
       RETURNING database_user, recorded_at BETWEEN now() AND clock_timestamp() AS recorded_now`,
    );
    assert.deepEqual(rows, [{ database_user: ROLE, recorded_now: true }]);
  });

  const insert = (row: Readonly<Record<string, string>>) => {
    const all = { actor: 'alice', action: 'import', organization_id: 'org_1', details: '{}', ...row };
    const places = Object.keys(all).map((_, index) => `$${index + 1}`);
    return client.query(
      `INSERT INTO keyroster.audit_log (${Object.keys(all)}) VALUES (${places})`,
      Object.values(all),
    );
  };
  const refused = /violates check constraint|invalid input syntax for type json/;

  test('inserts the actors that --actor takes, and no others', async () => {
    const adminKey = `vendor-admin01-${'a'.repeat(49)}`;
    const codes = [
      0x1, 0xa, 0x7f, 0x9f, 0xad, 0x61c, 0x200b, 0x2028, 0x202e, 0x2066, 0xfeff, 0x110bd, 0xe0020,
    ];
    const blanks = [' ', '   ', '\u00a0', '\u2000\u200a', '\u202f\u205f\u3000'];
    const wrong = ['', adminKey, `by ${adminKey}`, 'a'.repeat(129), '😀'.repeat(129), ...blanks];
    for (const actor of [...wrong, ...codes.map(code => `a${String.fromCodePoint(code)}b`)]) {
      assert.equal(parseActor(actor), undefined, escape(actor));
      await assert.rejects(insert({ actor }), refused, escape(actor));
    }
    for (const actor of [
      'a',
      'Ålice 検索 <alice@example.com>',
      'a\u00a0b',
      'a'.repeat(128),
      '😀'.repeat(128),
    ]) {
      assert.equal(parseActor(actor), actor);
      await insert({ actor });
    }
  });

  test("can't insert an ID that Keyroster doesn't have, or details that it couldn't list", async () => {
    const wrong = [{ organization_id: 'a name' }, { subject_id: 'a\u202eb' }];
    const key = `vendor-admin01-${'a'.repeat(49)}`;
    const details = [
      ...[
        'not JSON',
        'null',
        '[]',
        '{"a":{}}',
        '{"a":[1]}',
        ' {"a":1}',
        '{"a":-1e3}',
        '{"a":1,}',
        '{"a":"b"c"}',
      ],
      ...['{"a":"two\\nlines"}', '{"a":"\u202e"}', '{"A name":1}', `{"a":${'1'.repeat(16)}}`],
      ...[`{"a":"${key}"}`, `{"a":"${'a'.repeat(1000)}"}`],
    ];
    for (const row of [...wrong, ...details.map(each => ({ details: each }))])
      await assert.rejects(insert(row), refused, JSON.stringify(row));
    await insert({
      details: '{"a":null,"b_c":"2026-11-22T00:00:00.000000Z","d":true,"e":-123456789012345,"f":""}',
    });
  });

  test('inserts acts of an issuer only, unless it may delete organizations as an operator', async () => {
    await insert({ action: 'set_status' });
    const others = ACTIONS.filter(action => action !== 'import' && action !== 'set_status');
    for (const action of [...others, 'Import it'])
      await assert.rejects(insert({ action }), { code: '42501' }, action); // insufficient_privilege
    await runSql(store.url, `GRANT DELETE ON keyroster.organizations TO ${ROLE}`);
    for (const action of others) await insert({ action });
    await assert.rejects(insert({ action: 'Import it' }), refused);
  });

  test("can't update, delete or truncate", async () => {
    for (const change of [
      "UPDATE keyroster.audit_log SET actor = 'bob'",
      'DELETE FROM keyroster.audit_log',
      'TRUNCATE keyroster.audit_log',
    ])
      await assert.rejects(client.query(change), { code: '42501' }, change); // insufficient_privilege
  });
});

/** As after a logical replication, which copies the rows of tables: not the next number of a sequence, nor the rows of a view. */
const REPLICATED = [
  "SELECT setval('keyroster.audit_log_number_seq', 1, false)",
  'REFRESH MATERIALIZED VIEW keyroster.made WITH NO DATA',
];
const LOG = 'SELECT number FROM keyroster.audit_log ORDER BY number';

test('an audit log whose next number is taken refuses acts, says by which statement it goes on, and does when a copy is confirmed', async t => {
  const store = await newStore(t);
  for (const statement of REPLICATED) await runSql(store.url, statement);
  const writer = await writerOf(t, store);
  const { message } = await createOrganization(writer).catch(error => error);
  const [, statement = ''] =
    /^database: .* is taken: as the owner of the schema run (SELECT .*) \(/.exec(message) ?? [];
  await writer.confirmRestore();
  await createOrganization(writer);
  const log = await runSql(store.url, LOG);
  assert.deepEqual(
    log.map(({ number }) => number),
    log.map((_, index) => String(index + 1)),
  );

  await runSql(store.url, REPLICATED[0] ?? '');
  await runSql(store.url, statement);
  await createOrganization(writer);
});
