import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Actor } from '../../../src/service/roster/actor.ts';
import { newAdminKey } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import { walkRoster } from '../../../src/service/roster/walks.ts';
import {
  ACTIONS,
  type AuditEntry,
  type AuditFilter,
  walkAuditLog,
} from '../../../src/service/roster/writes/audit-log.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { AdminKeyId, ApiKeyId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { formatTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';
import { acts, given } from '../../support/acts.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, importKeys, now, VENDOR } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';

const ALICE = 'Ålice <alice@example.com>' as Actor;

async function entriesOf(writer: RosterWriter, filter: AuditFilter = {}): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for await (const page of walkAuditLog(writer, filter)) entries.push(...page);
  return entries;
}

describeEachStore('the audit log', open => {
  let alice: RosterWriter;
  before(async () => {
    alice = await open.store.openWriter(ALICE);
  });
  after(() => alice.close());

  for (const [method, act] of Object.entries(acts)) {
    test(`has exactly one entry of ${method}: when, who and what`, async () => {
      const setting = await given(open.writer);
      const last = (await entriesOf(open.writer)).at(-1)?.number ?? 0;
      const from = now();
      const expected = await act(alice, setting);
      const [entry, ...others] = (await entriesOf(open.writer)).filter(({ number }) => number > last);
      assert.deepEqual(others, []);
      assert.ok(entry);
      const { number, recordedAt, actor, databaseUser, ...what } = entry;
      assert.deepEqual(what, expected);
      assert.equal(actor, ALICE);
      assert.ok(recordedAt >= from && recordedAt <= now() + 1_000n, formatTimestamp(recordedAt));
      assert.ok(number > last);
      assert.equal(typeof databaseUser, open.store.url.startsWith('sqlite:') ? 'object' : 'string');
    });
  }

  test('never has an entry without its act, nor an act without its entry: what cannot be recorded is not done', async t => {
    const setting = await given(open.writer);
    const before = await everything(open.writer);
    await refuseEntries(open.store.url);
    t.after(() => allowEntries(open.store.url));
    for (const [method, act] of Object.entries(acts)) {
      await assert.rejects(act(alice, setting), /no entry/, method);
      assert.deepEqual(await everything(open.writer), before, method);
    }
  });

  test('has no entry of a refused act or of a dry run', async () => {
    const { organization } = await given(open.writer);
    const before = await everything(open.writer);
    const unknown = 'unknown' as OrganizationId & AdminKeyId & ApiKeyId;
    const [key] = firstKeys(1);
    assert.ok(key);
    const conflicting = { ...key, createdAt: (key.createdAt + 1n) as Timestamp };
    await importKeys(alice, organization, firstKeys(9), { dryRun: true });
    assert.equal((await importKeys(alice, organization, [conflicting])).refused, 1);
    assert.equal((await importKeys(alice, unknown, firstKeys(1))).refused, 1);
    const refused: (() => Promise<unknown>)[] = [
      () => alice.createOrganization({ id: organization, name: 'Again', createdAt: now() }),
      () => alice.revokeAdminKey(unknown, now()),
      () => alice.setStatus(organization, [unknown], 'archived'),
    ];
    await alice.feedApiKeys([
      { organizationId: unknown, key },
      { organizationId: organization, key: conflicting },
    ]);
    for (const each of refused) await assert.rejects(each(), Refused);
    assert.deepEqual(await everything(open.writer), before);
  });

  test('is listed oldest first, by any combination of its filters, page by page', async () => {
    const setting = await given(open.writer);
    const parts = { organizationId: setting.organization, scope: null, name: 'copied', createdAt: now() };
    const copied = newAdminKey(AdminKeySecret.issue(VENDOR), parts);
    await alice.createAdminKey(copied);
    await alice.copyAdminKeys([{ ...copied, revokedAt: now() }]); // an update, while the act above creates
    for (const [method, act] of Object.entries(acts)) {
      if (['rotateAdminKey', 'revertImport'].includes(method)) await act(alice, await given(open.writer));
      else await act(alice, setting);
    }
    const all = await entriesOf(open.writer);
    const numbers = all.map(({ number }) => number);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
    const middle = all[Math.floor(all.length / 2)]?.recordedAt as Timestamp;
    const filters: AuditFilter[] = [
      { organizationId: setting.organization },
      { actor: ALICE },
      { since: middle },
      { until: middle },
      { organizationId: setting.organization, actor: ALICE, action: 'import', since: middle },
      ...ACTIONS.map(action => ({ action })),
    ];
    for (const filter of filters) {
      const matching = all.filter(
        entry =>
          entry.organizationId === (filter.organizationId ?? entry.organizationId) &&
          entry.action === (filter.action ?? entry.action) &&
          entry.actor === (filter.actor ?? entry.actor) &&
          entry.recordedAt >= (filter.since ?? entry.recordedAt) &&
          entry.recordedAt < (filter.until ?? entry.recordedAt + 1n),
      );
      assert.deepEqual(await entriesOf(open.writer, filter), matching);
      assert.ok(matching.length > 0);
      const [first, second] = matching;
      const next = await open.writer.listAuditEntries(filter, first?.number ?? 0, 1);
      assert.deepEqual(next, second ? [second] : []);
    }
  });

  test('is append-only, for its owner too', async () => {
    const before = await entriesOf(open.writer);
    const { number } = before[0] as AuditEntry;
    const table = open.store.url.startsWith('sqlite:') ? 'audit_log' : 'keyroster.audit_log';
    const changes = [
      `UPDATE ${table} SET actor = 'somebody else'`,
      `UPDATE ${table} SET actor = 'somebody else' WHERE number = ${number}`,
      `DELETE FROM ${table}`,
      `DELETE FROM ${table} WHERE number = ${number}`,
      ...(table === 'audit_log'
        ? [
            `INSERT OR REPLACE INTO audit_log (number, recorded_at, actor, action, details)
             VALUES (${number}, 1, 'somebody else', 'import', '{}')`,
          ]
        : [`TRUNCATE ${table}`, `TRUNCATE ${table} CASCADE`]),
    ];
    for (const change of changes)
      await assert.rejects(runSql(open.store.url, change), /the audit log is append-only/, change);
    assert.deepEqual(await entriesOf(open.writer), before);
  });

  /** All that the store holds, audit log included. */
  async function everything(writer: RosterWriter) {
    const organizations = await writer.listOrganizations(...ALL);
    const rosters: unknown[] = [];
    for (const { id } of organizations)
      for await (const page of walkRoster(writer, id)) rosters.push(page.map(({ record }) => record));
    return {
      organizations,
      rosters,
      adminKeys: await writer.listAdminKeys(null, ...ALL),
      imports: await writer.listImports(null, null, 1000),
      log: await entriesOf(writer),
    };
  }
});

/** Makes the last statement of every act fail, after all that it changes: in PostgreSQL the commit itself. */
function refuseEntries(url: string): Promise<unknown> {
  if (url.startsWith('sqlite:'))
    return runSql(
      url,
      "CREATE TRIGGER no_entry BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'no entry'); END",
    );
  return runSql(
    url,
    `CREATE FUNCTION keyroster.no_entry() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'no entry'; END $$;
     CREATE CONSTRAINT TRIGGER no_entry AFTER INSERT ON keyroster.audit_log DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION keyroster.no_entry()`,
  );
}

function allowEntries(url: string): Promise<unknown> {
  const isSqlite = url.startsWith('sqlite:');
  return runSql(url, isSqlite ? 'DROP TRIGGER no_entry' : 'DROP FUNCTION keyroster.no_entry CASCADE');
}
