import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from 'pg';
import { idList } from '../../../src/service/postgres/statements.ts';
import { LOCK } from '../../../src/service/postgres/writes/import/merge-import.ts';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import type { ApiKeyId, CreatorId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../src/shared/record/partial-key-hint.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { connect } from '../../support/connect.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { lockIsWaitedFor } from '../../support/run-sql.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';
import { postgres } from '../../support/stores.ts';

const START = 1_730_332_707_427_722n;

/** Greater numbers are newer, and their IDs come later. */
const key = (number: number, change: Partial<ApiKey> = {}): ApiKey => ({
  id: `apikey_${1000 + number}` as ApiKeyId,
  name: 'Developer Key',
  createdAt: (START + BigInt(number)) as Timestamp,
  createdBy: { id: 'user_1' as CreatorId, type: 'user' },
  partialKeyHint: 'sk-ven-R2D...igAA' as PartialKeyHint,
  status: 'active',
  workspaceId: null,
  ...change,
});
const keys = (count: number, change?: Partial<ApiKey>) =>
  Array.from({ length: count }, (_, number) => key(number, change));

interface Store {
  readonly url: string;
  readonly writer: RosterWriter;
  readonly organization: OrganizationId;
  /** A connection of another that writes. */
  readonly issuer: Client;
  /** All that an UPDATE or a lock changes in a row. */
  versions(): Promise<unknown[]>;
}

async function storeWith(scope: Scope, stored: readonly ApiKey[]): Promise<Store> {
  const { url, openWriter, remove } = await postgres.create();
  atEndOf(scope, remove);
  const writer = await openWriter();
  atEndOf(scope, () => writer.close());
  const { id: organization } = await createOrganization(writer);
  await importKeys(writer, organization, stored);
  const issuer = await connect(scope, url);
  const versions = async () =>
    (await issuer.query('SELECT id, ctid, xmin, xmax, name FROM keyroster.api_keys ORDER BY id')).rows;
  return { url, writer, organization, issuer, versions };
}

describe('an import of keys that are stored already', () => {
  test('knows the IDs that it locks when it plans, so that it does not search the list of them for each row', async t => {
    const { organization, issuer } = await storeWith(t, keys(50));
    const values = [organization, idList(keys(20).map(({ id }) => id))];
    const { rows } = await issuer.query(`EXPLAIN ${LOCK}`, values);
    const plan = rows.map(row => row['QUERY PLAN']).join('\n');
    assert.match(plan, /id = ANY \('\{apikey_1000,apikey_1001,/);
  });

  test('neither writes nor locks those that are the same', async t => {
    const { writer, organization, versions } = await storeWith(t, keys(50));
    const before = await versions();
    const changed = key(7, { name: 'New' });
    const counts = await importKeys(writer, organization, [...keys(50).with(7, changed), key(50)]);
    assert.deepEqual(counts, { inserted: 1, updated: 1, unchanged: 49, refused: 0, refusals: [] });
    const after = await versions();
    assert.deepEqual(after.slice(0, 50).toSpliced(7, 1), before.toSpliced(7, 1));
  });

  test('waits for no issuer that writes them, and makes none wait', async t => {
    const { writer, organization, issuer } = await storeWith(t, keys(50));
    await issuer.query("BEGIN; UPDATE keyroster.api_keys SET name = 'New' WHERE id = 'apikey_1007'");
    assert.equal((await importKeys(writer, organization, keys(50))).unchanged, 50);
    await issuer.query('COMMIT');
    const { rows } = await issuer.query("SELECT name FROM keyroster.api_keys WHERE id = 'apikey_1007'");
    assert.deepEqual(rows, [{ name: 'New' }]);
  });
});

describe('what an issuer commits while an import waits for it', () => {
  const insert = (values: string) => `INSERT INTO keyroster.api_keys
    (organization_id, id, name, created_at, created_by_id, created_by_type, partial_key_hint, status)
    SELECT id, ${values} FROM keyroster.organizations`;
  const created = (number: number) => `to_timestamp(0) + interval '${START + BigInt(number)} microseconds'`;
  const inserted = (id: number, name: string, at: number) =>
    insert(
      `'apikey_${1000 + id}', '${name}', ${created(at)}, 'user_1', 'user', 'sk-ven-R2D...igAA', 'active'`,
    );

  const [NEW, CHANGED] = [key(1), key(0, { name: 'New' })];
  const stored = async ({ issuer }: Store) =>
    (await issuer.query('SELECT name FROM keyroster.api_keys ORDER BY id')).rows.map(({ name }) => name);
  /** The import waits for what the issuer has written, which is committed then. */
  async function importDuring(t: Scope, sql: string, skipRefused: boolean) {
    const store = await storeWith(t, keys(1));
    const { url, writer, organization, issuer } = store;
    await issuer.query(`BEGIN; ${sql}`);
    const importing = importKeys(writer, organization, [CHANGED, NEW], { skipRefused });
    await lockIsWaitedFor(url);
    await issuer.query('COMMIT');
    return { store, importing };
  }

  const cases: [what: string, sql: string, counts: number[], names: string[]][] = [
    [
      'a new key of the file that is the same is unchanged',
      inserted(1, 'Developer Key', 1),
      [0, 1, 1, 0],
      ['New', 'Developer Key'],
    ],
    [
      'a new key of the file with another creation time is refused',
      inserted(1, 'Theirs', 5),
      [0, 1, 0, 1],
      ['New', 'Theirs'],
    ],
    [
      'another change is overwritten',
      "UPDATE keyroster.api_keys SET name = 'Theirs'",
      [1, 1, 0, 0],
      ['New', 'Developer Key'],
    ],
    [
      'the same change makes a key of the file unchanged',
      "UPDATE keyroster.api_keys SET name = 'New'",
      [1, 0, 1, 0],
      ['New', 'Developer Key'],
    ],
    [
      'a key that was archived is refused',
      "UPDATE keyroster.api_keys SET name = 'Theirs', status = 'archived'",
      [1, 0, 0, 1],
      ['Theirs', 'Developer Key'],
    ],
  ];
  for (const [what, sql, counts, names] of cases)
    test(what, async t => {
      const { store, importing } = await importDuring(t, sql, true);
      const { inserted, updated, unchanged, refused } = await importing;
      assert.deepEqual([inserted, updated, unchanged, refused], counts);
      assert.deepEqual(await stored(store), names);
    });

  test('refuses the whole import where refused keys are not skipped', async t => {
    const archived = "UPDATE keyroster.api_keys SET name = 'Theirs', status = 'archived'";
    const { store, importing } = await importDuring(t, archived, false);
    await assert.rejects(importing, {
      name: 'Refused',
      message: /written by others during the import; nothing was changed: run it again/,
    });
    assert.deepEqual(await stored(store), ['Theirs']);
  });
});

describe('a deadlock with an issuer that writes keys in another order', () => {
  const ids = keys(2).map(({ id }) => id);
  const acts: Record<string, (store: Store) => Promise<unknown>> = {
    'an import': ({ writer, organization }) => importKeys(writer, organization, keys(2, { name: 'Ours' })),
    'a put': ({ writer, organization }) => writer.putApiKeys(organization, keys(2, { name: 'Ours' })),
  };
  for (const [what, act] of Object.entries(acts))
    test(`doesn't end ${what}: it is done after the issuer's`, async t => {
      const store = await storeWith(t, keys(2));
      const { url, issuer } = store;
      // PostgreSQL ends the transaction that notices it first.
      await issuer.query("SET deadlock_timeout = '1h'");
      const update = (id: string) =>
        issuer.query(`UPDATE keyroster.api_keys SET name = 'Theirs' WHERE id = '${id}'`);
      await issuer.query(`BEGIN; SELECT FROM keyroster.api_keys WHERE id = '${ids[1]}' FOR UPDATE`);
      const acted = act(store);
      await lockIsWaitedFor(url);
      for (const id of ids.toReversed()) await update(id);
      await issuer.query('COMMIT');
      await acted;
      const { rows } = await issuer.query('SELECT DISTINCT name FROM keyroster.api_keys');
      assert.deepEqual(rows, [{ name: 'Ours' }]);
      const { rows: entries } = await issuer.query(
        "SELECT count(*)::int FROM keyroster.audit_log WHERE action = 'import'",
      );
      assert.equal(entries[0].count, 2, 'the keys at the beginning, and this act once');
    });
});

test('an import whose changes a trigger drops is refused', async t => {
  const { writer, organization, issuer } = await storeWith(t, keys(2));
  await issuer.query(`CREATE FUNCTION keyroster.keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER keep BEFORE UPDATE ON keyroster.api_keys FOR EACH ROW EXECUTE FUNCTION keyroster.keep()`);
  const renamed = keys(2).map(key => ({ ...key, name: 'New' }));
  await assert.rejects(importKeys(writer, organization, renamed), {
    name: 'Refused',
    message: /^database: 2 of these API keys are not changed: a trigger or row-level security/,
  });
});

test('an import whose keys a trigger drops is refused, and does not count them as inserted', async t => {
  const { writer, organization, issuer, versions } = await storeWith(t, keys(1));
  await issuer.query(`CREATE FUNCTION keyroster.drop_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER drop_row BEFORE INSERT ON keyroster.api_keys FOR EACH ROW EXECUTE FUNCTION keyroster.drop_row()`);
  const before = await versions();
  await assert.rejects(importKeys(writer, organization, keys(3)), {
    name: 'Refused',
    message: /^database: 2 of these API keys are neither inserted nor found: a trigger or row-level security/,
  });
  assert.deepEqual(await versions(), before);
});
