import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Actor } from '../../../src/service/roster/actor.ts';
import { newAdminKey, newRotation } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import {
  ACTIONS,
  type AuditEntry,
  type AuditFilter,
  walkAuditLog,
} from '../../../src/service/roster/audit-log.ts';
import type { NewField } from '../../../src/service/roster/new-field.ts';
import type { RosterWriter, WritingMethod } from '../../../src/service/roster/roster.ts';
import { walkRoster } from '../../../src/service/roster/walks.ts';
import { type Duration, parseDuration } from '../../../src/shared/record/duration.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import {
  type AdminKeyId,
  type ApiKeyId,
  type ImportId,
  newId,
  type OrganizationId,
  type WorkspaceId,
} from '../../../src/shared/record/identifier.ts';
import { formatTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createOrganization, importKeys, importLines, now, VENDOR } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';

const ALICE = 'Ålice <alice@example.com>' as Actor;
const EXPIRES_AT = 4_000_000_000_000_001n as Timestamp;

const NOTE: NewField = { name: 'note', type: { kind: 'text', max_length: 9 } };

/** What an act works on: an organization that has a valid admin key and three API keys. */
interface Given {
  readonly organization: OrganizationId;
  readonly adminKey: AdminKeyId;
  readonly keys: readonly ApiKeyId[];
  /** Of the import that inserted them. */
  readonly importId: ImportId;
}

type Expected = Pick<AuditEntry, 'action' | 'organizationId' | 'subjectId' | 'details'>;

/** One act of each method that writes, and what is recorded about it. */
const acts = {
  createOrganization: async writer => {
    const id = newId<OrganizationId>('org');
    await writer.createOrganization({ id, name: 'Example', createdAt: now() });
    return { action: 'create_organization', organizationId: id, subjectId: null, details: {} };
  },
  createAdminKey: async (writer, { organization: organizationId }) => {
    const secret = AdminKeySecret.issue(VENDOR);
    const scope = { workspaceId: 'wrkspc_1' as WorkspaceId };
    const parts = { organizationId, scope, name: 'test', createdAt: now(), expiresAt: EXPIRES_AT };
    const key = newAdminKey(secret, parts);
    await writer.createAdminKey(key);
    const details = { expires_at: formatTimestamp(EXPIRES_AT), workspace_id: 'wrkspc_1' };
    return { action: 'create_admin_key', organizationId, subjectId: key.id, details };
  },
  revokeAdminKey: async (writer, { organization: organizationId, adminKey }) => {
    const at = now();
    await writer.revokeAdminKey(adminKey, at);
    const details = { revoked_at: formatTimestamp(at) };
    return { action: 'revoke_admin_key', organizationId, subjectId: adminKey, details };
  },
  rotateAdminKey: async (writer, { organization: organizationId, adminKey }) => {
    const rotation = newRotation(AdminKeySecret.issue(VENDOR), now());
    const overlap = parseDuration('2d') as Duration;
    await writer.rotateAdminKey(adminKey, rotation, overlap);
    const old_expires_at = formatTimestamp((rotation.createdAt + overlap) as Timestamp);
    const details = { replaced_by: rotation.id, old_expires_at, expires_at: null };
    return { action: 'rotate_admin_key', organizationId, subjectId: adminKey, details };
  },
  importOrganizations: async (writer, { organization: organizationId }) => {
    const organization = { id: organizationId, name: 'Renamed by a file', createdAt: null };
    await writer.importOrganizations([{ line: 1, organization }], { dryRun: false });
    return { action: 'rename_organization', organizationId, subjectId: null, details: {} };
  },
  createAdminKeys: async (writer, { organization: organizationId }) => {
    const adminKey = { organizationId, scope: null, name: 'in bulk', expiresAt: null, networks: null };
    const made = newAdminKey(AdminKeySecret.issue(VENDOR), { ...adminKey, createdAt: now() });
    await writer.createAdminKeys([{ line: 1, adminKey }], () => [made]);
    const details = { expires_at: null, workspace_id: null };
    return { action: 'create_admin_key', organizationId, subjectId: made.id, details };
  },
  copyAdminKeys: async (writer, { organization: organizationId }) => {
    const key = newAdminKey(AdminKeySecret.issue(VENDOR), {
      organizationId,
      scope: null,
      name: 'copied',
      createdAt: now(),
    });
    await writer.copyAdminKeys([key]);
    const details = { expires_at: null, workspace_id: null };
    return { action: 'create_admin_key', organizationId, subjectId: key.id, details };
  },
  renameOrganization: async (writer, { organization: organizationId }) => {
    await writer.renameOrganization(organizationId, 'Renamed');
    return { action: 'rename_organization', organizationId, subjectId: null, details: {} };
  },
  disableOrganization: async (writer, { organization: organizationId }) => {
    await writer.disableOrganization(organizationId, now());
    return { action: 'disable_organization', organizationId, subjectId: null, details: {} };
  },
  enableOrganization: async (writer, { organization: organizationId }) => {
    await writer.enableOrganization(organizationId);
    return { action: 'enable_organization', organizationId, subjectId: null, details: {} };
  },
  recordAdminKeyUse: async (writer, { adminKey }) => {
    await writer.recordAdminKeyUse(
      new Map([
        [adminKey, '2026-11-21'],
        ['adminkey_unknown' as AdminKeyId, '2026-11-22'],
      ]),
    );
    const details = { updated: 1, unchanged: 0, unknown: 1 };
    return { action: 'record_admin_key_use', organizationId: null, subjectId: null, details };
  },
  importApiKeys: async (writer, { organization: organizationId }) => {
    const keys = firstKeys(5).map((key, index) => (index === 0 ? { ...key, name: 'Renamed' } : key));
    const lines = keys.map((key, index) => ({ line: index + 1, organizationId, key }));
    const { importId: subjectId } = await importLines(writer, lines);
    const details = { inserted: 2, updated: 1, unchanged: 2, refused: 0 };
    return { action: 'import', organizationId, subjectId, details };
  },
  revertImport: async (writer, { organization: organizationId, importId }) => {
    await writer.revertImport(importId, {});
    const details = { deleted: 3, restored: 0, skipped: 0 };
    return { action: 'revert_import', organizationId, subjectId: importId, details };
  },
  putApiKeys: async (writer, { organization: organizationId }) => {
    const [renamed, unchanged] = firstKeys(2);
    await writer.putApiKeys(organizationId, [{ ...renamed, name: 'Renamed' } as ApiKey, unchanged as ApiKey]);
    const details = { inserted: 0, updated: 1, unchanged: 1, refused: 0 };
    return { action: 'import', organizationId, subjectId: null, details };
  },
  feedApiKeys: async (writer, { organization: organizationId }) => {
    const [known, another] = firstKeys(2) as [ApiKey, ApiKey];
    await writer.feedApiKeys([
      { organizationId, key: { ...known, name: 'Renamed' } },
      { organizationId: 'unknown' as OrganizationId, key: another },
      { organizationId, key: { ...another, createdAt: (another.createdAt + 1n) as Timestamp } },
    ]);
    const details = { inserted: 0, updated: 1, unchanged: 0, refused: 1 };
    return { action: 'import', organizationId, subjectId: null, details };
  },
  setStatus: async (writer, { organization: organizationId, keys }) => {
    await writer.setStatus(organizationId, keys, 'archived');
    const details = { status: 'archived' as const, changed: keys.length, unchanged: 0 };
    return { action: 'set_status', organizationId, subjectId: null, details };
  },
  confirmRestore: async writer => {
    await writer.confirmRestore();
    return { action: 'restore', organizationId: null, subjectId: null, details: {} };
  },
  addField: async writer => {
    const name = `used_${(await writer.listFields()).length}`;
    await writer.addField({ name, type: { kind: 'timestamp' } });
    const details = { name, type: 'timestamp' };
    return { action: 'add_field', organizationId: null, subjectId: null, details };
  },
  removeField: async writer => {
    await writer.removeField(NOTE.name);
    return { action: 'remove_field', organizationId: null, subjectId: null, details: { name: NOTE.name } };
  },
  deleteNext: async (writer, { organization: organizationId }) => {
    for (let step = 0; step < 3; step += 1) await writer.deleteNext(organizationId, now(), null);
    return { action: 'delete_organization', organizationId, subjectId: null, details: {} };
  },
} satisfies Record<WritingMethod, (writer: RosterWriter, given: Given) => Promise<Expected>>;

async function given(writer: RosterWriter): Promise<Given> {
  const { id: organization } = await createOrganization(writer);
  const keys = firstKeys(3);
  const lines = keys.map((key, index) => ({ line: index + 1, organizationId: organization, key }));
  const { importId } = await importLines(writer, lines);
  const [adminKey] = await writer.listAdminKeys(organization, ...ALL);
  if (!(await writer.listFields()).some(({ name }) => name === NOTE.name)) await writer.addField(NOTE);
  const active = keys.filter(({ status }) => status === 'active').map(({ id }) => id);
  return { organization, adminKey: adminKey?.id as AdminKeyId, keys: active, importId: importId as ImportId };
}

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
      log: await entriesOf(writer),
    };
  }
});

/** Makes the last statement of every act fail, after all that it changes. */
async function refuseEntries(url: string): Promise<void> {
  if (url.startsWith('sqlite:'))
    await runSql(
      url,
      "CREATE TRIGGER no_entry BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'no entry'); END",
    );
  else
    await runSql(
      url,
      `CREATE FUNCTION keyroster.no_entry() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'no entry'; END $$;
       CREATE CONSTRAINT TRIGGER no_entry AFTER INSERT ON keyroster.audit_log DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION keyroster.no_entry()`, // refuses the commit itself
    );
}

async function allowEntries(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) await runSql(url, 'DROP TRIGGER no_entry');
  else await runSql(url, 'DROP FUNCTION keyroster.no_entry CASCADE');
}
