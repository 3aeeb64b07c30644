import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ApiKeyRecord,
  openWriter,
  Refused,
  type RefusedFault,
  type StoreWriter,
  writerIn,
} from '../../../src/service/library/library.ts';
import { USE_RULE } from '../../../src/service/roster/writes/key-use.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { putRecord as put } from '../../support/import-file.ts';
import { recordsOf } from '../../support/opened.ts';
import { createOrganization, VENDOR } from '../../support/roster.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';
import { startService } from '../../support/service.ts';

/** Asserts that it is refused with these faults, and that the message names the field and problem of each. */
async function assertRefused(done: Promise<unknown>, faults: readonly RefusedFault[]): Promise<void> {
  await assert.rejects(done, (error: unknown) => {
    assert.ok(error instanceof Refused);
    assert.deepEqual(error.faults, faults);
    for (const { problem } of faults) assert.ok(error.message.includes(problem), error.message);
    return true;
  });
}
const NAME_RULE = 'must be text of at most 1000 characters, without NUL or broken surrogates';
const WORKSPACE_RULE =
  'must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key, or left out for the whole organization: the default workspace has no ID';
const fault = (
  field: string | null,
  problem: string,
  index: number | null = null,
  id: string | null = null,
) => ({ field, problem, index, id });

describeEachStore("an issuer's writer", open => {
  const writerFor = async (scope: Scope): Promise<StoreWriter> => {
    const writer = await openWriter({ database: open.store.url, actor: 'the issuer', vendor: VENDOR });
    atEndOf(scope, () => writer.close());
    return writer;
  };
  /** A writer, and an organization that it has made. */
  const begin = async (scope: Scope) => {
    const writer = await writerFor(scope);
    return { writer, id: (await writer.createOrganization({ name: 'Acme' })).id };
  };
  const listed = async (organization: string): Promise<ApiKeyRecord[]> =>
    (await recordsOf(open.reader, organization as OrganizationId)).map(record => JSON.parse(record));
  const audited = async (organization: string) => {
    const filter = { organizationId: organization as OrganizationId };
    const entries = await open.writer.listAuditEntries(filter, 0, 100);
    return entries.map(({ actor, action, subjectId }) => ({ actor, action, subjectId }));
  };

  test('puts one record or several: inserts, updates, or leaves as it is, and lists them at once', async t => {
    const { writer, id } = await begin(t);
    assert.deepEqual(await writer.put(id, put('k1')), { inserted: 1, updated: 0, unchanged: 0 });
    const hint = { partial_key_hint: 'sk...xyz' };
    const changed = put('k1', { name: 'Name', status: 'inactive', workspace_id: null, ...hint });
    const counts = await writer.put(id, [changed, put('k2')]);
    assert.deepEqual(counts, { inserted: 1, updated: 1, unchanged: 0 });
    assert.deepEqual(await listed(id), [put('k2'), changed]);
    const { type: _, ...untyped } = changed;
    assert.deepEqual(await writer.put(id, untyped), { inserted: 0, updated: 0, unchanged: 1 });
    assert.deepEqual(await writer.put(id, []), { inserted: 0, updated: 0, unchanged: 0 });
    const [created, ...imports] = await audited(id);
    assert.deepEqual(created, { actor: 'the issuer', action: 'create_organization', subjectId: null });
    assert.deepEqual(
      imports.map(({ action, subjectId }) => [action, subjectId]),
      ['k1', null, 'k1', null].map(subject => ['import', subject]),
    );
  });

  test('takes a put of the 1,000 that are the most at once', async t => {
    const { writer, id } = await begin(t);
    const records = Array.from({ length: 1000 }, (_, index) => put(`k${index}`));
    assert.equal((await writer.put(id, records)).inserted, 1000);
    const stored = new Map((await listed(id)).map(each => [each.id, each]));
    for (const each of records) assert.deepEqual(stored.get(each.id), each);
    assert.equal((await writer.put(id, records)).unchanged, 1000);
    const problem = 'must be at most 1000 at once';
    await assertRefused(writer.put(id, [...records, put('k')]), [fault('records', problem)]);
    const ids = [...records, put('k')].map(each => each.id);
    await assertRefused(writer.setStatus(id, ids, 'active'), [fault('ids', problem)]);
  });

  test('refuses all of a put for each wrong field of each record, and repeats no value that may be a secret', async t => {
    const { writer, id } = await begin(t);
    const key = 'sk-ven-api03-R2DxxxxxxxxxxxxxxxxxxigAA';
    const wrong = { ...put('k2'), status: 'gone', secret: key } as unknown as ApiKeyRecord;
    const hint = 'contains the key that partial_key_hint masks';
    const none = null as unknown as ApiKeyRecord;
    await assertRefused(writer.put(id, [put('k1'), wrong, put('k1'), put('k3', { name: key }), none]), [
      fault('secret', 'unknown field', 1),
      fault('status', 'must be one of active, inactive, archived', 1),
      fault('id', 'duplicate of key 0', 2, 'k1'),
      fault('name', hint, 3),
      fault(null, 'must be an object', 4),
    ]);
    await assert.rejects(writer.put(id, put('k3', { name: key })), {
      message: `nothing was changed: key 0: name: ${hint}`,
    });
    assert.deepEqual(await listed(id), []);
  });

  test('refuses what an import refuses of a stored key, with the same words', async t => {
    const { writer, id } = await begin(t);
    await writer.put(id, [put('k1', { status: 'archived' }), put('k2')]);
    const before = await listed(id);
    const created_by = { id: 'other', type: 'service_account' } as const;
    const moved = put('k1', { status: 'active', created_at: '2030-01-01T00:00:00Z', created_by });
    const was = put('k1').created_by;
    const cannot = (field: string, value: string) =>
      fault(field, `cannot change: the stored value is ${value}`, 1, 'k1');
    await assertRefused(writer.put(id, [put('k0'), moved, put('k2', { name: 'New' })]), [
      cannot('created_at', '2024-10-30T23:58:27.427722Z'),
      cannot('created_by.id', was.id),
      cannot('created_by.type', was.type),
      fault('status', 'archived is final', 1, 'k1'),
    ]);
    assert.deepEqual(await listed(id), before);
    assert.equal((await audited(id)).length, 2);
  });

  test('sets the status of one key or of several, or of none of them', async t => {
    const { writer, id } = await begin(t);
    await writer.put(id, [put('k1'), put('k2'), put('k3', { status: 'archived' })]);
    assert.deepEqual(await writer.setStatus(id, 'k1', 'inactive'), { changed: 1, unchanged: 0 });
    const several = await writer.setStatus(id, ['k1', 'k2', 'k1'], 'inactive');
    assert.deepEqual(several, { changed: 1, unchanged: 1 });
    await assertRefused(writer.setStatus(id, ['k1', 'k1', 'k3', 'k9'], 'active'), [
      fault('status', 'archived is final', 2, 'k3'),
      fault('id', 'no such API key in this organization', 3, 'k9'),
    ]);
    const noId = fault(
      'id',
      'must be 1 to 255 of A-Z a-z 0-9 _ - . : | / @ ~, and not the word null or undefined',
      1,
    );
    await assertRefused(writer.setStatus(id, ['k1', 'a b'], 'active'), [noId]);
    const key = 'sk_live_51H8zAbCdEfGhIjKlMnOpQrSaa';
    const refused = await writer.setStatus(id, key, 'inactive').catch(error => error);
    assert.deepEqual(refused.faults, [fault('id', 'no such API key in this organization', 0)]);
    assert.match(refused.message, /: an ID that looks like a full key: no such API key in this/);
    const noStatus = fault('status', 'must be one of active, inactive, archived');
    await assertRefused(writer.setStatus(id, 'k1', 'gone' as 'active'), [noStatus]);
    assert.deepEqual(
      (await listed(id)).map(each => each.status),
      ['archived', 'inactive', 'inactive'],
    );
  });

  test('records uses of keys, and refuses wrong ones with their faults', async t => {
    const { writer, id } = await begin(t);
    await writer.put(id, put('k1'));
    const last_used_at = '2026-11-20T17:03:11Z';
    await open.writer.addField({ name: 'last_used_at', type: { kind: 'timestamp' } });
    t.after(() => open.writer.removeField('last_used_at'));
    const entries = (await audited(id)).length;
    assert.deepEqual(await writer.recordUses(id, [{ id: 'k1', last_used_at }]), { updated: 1, unchanged: 0 });
    assert.equal((await audited(id)).length, entries);
    const wrong = [
      { id: 'k1', last_used_at: '2099-01-01T00:00:00Z' },
      { id: 'k1', name: 'x', last_used_at },
    ] as const;
    const faults = [fault('last_used_at', USE_RULE, 0), fault('name', 'unknown field', 1)];
    await assertRefused(writer.recordUses(id, wrong), faults);
    const unknown = { id: 'sk_live_51H8zAbCdEfGhIjKlMnOpQrSaa', last_used_at };
    await assertRefused(writer.recordUses(id, unknown), [
      fault('id', 'no such API key in this organization', 0),
    ]);
    await assert.rejects(writer.recordUses('org_unknown', { id: 'k1', last_used_at }), /no organization/);
  });

  test('makes a customer: an organization, and an admin key that lists until it is revoked', async t => {
    const writer = await writerFor(t);
    const service = await startService(open.reader);
    atEndOf(t, () => service.close());
    const organization = await writer.createOrganization({ id: 'org_acme', name: 'Acme' });
    assert.deepEqual([organization.id, organization.name], ['org_acme', 'Acme']);
    await writer.put(organization.id, put('k1'));
    const { secret: scoped } = await writer.createAdminKey(organization.id, { workspace_id: 'wrkspc_none' });
    assert.equal((await service.list(scoped)).body.data.length, 0);
    const { secret, ...key } = await writer.createAdminKey(organization.id);
    assert.match(secret, /^vendor-admin01-/);
    const names =
      'created_at expires_at id last_characters name networks organization_id replaced_by revoked_at workspace_id';
    assert.equal(Object.keys(key).sort().join(' '), names);
    assert.equal((await service.list(secret)).body.data.length, 1);
    const revoked = await writer.revokeAdminKey(key.id);
    assert.deepEqual({ ...revoked, revoked_at: null }, key);
    assert.deepEqual(await writer.revokeAdminKey(key.id), revoked);
    assert.equal((await service.list(secret)).status, 401);

    const again = writer.createOrganization({ id: organization.id, name: 'Other' });
    const problem = 'already exists: choose another ID';
    await assertRefused(again, [fault('id', problem, null, organization.id)]);
  });

  test('refuses each wrong argument by its field, and repeats no admin key', async t => {
    const writer = await writerFor(t);
    const { id, secret } = await createOrganization(open.writer);
    const wrong = {
      name: '',
      expires_at: '2020-01-01T00:00:00Z',
      networks: ['10.0.0.0/8,10.0.0.1'],
      workspace_id: null,
      nmae: 'x',
    };
    await assertRefused(writer.createAdminKey(id, wrong as never), [
      fault('nmae', 'unknown field'),
      fault('expires_at', 'must lie in the future'),
      fault('name', `must not be empty; ${NAME_RULE}`),
      fault('networks', 'must be a list of addresses or networks such as 10.0.0.0/8, 1 to 20'),
      fault('workspace_id', WORKSPACE_RULE),
    ]);
    const missing = fault('workspace_id', `is missing: ${WORKSPACE_RULE}`);
    await assertRefused(writer.createAdminKey(id, { workspace_id: undefined } as never), [missing]);
    const noKey = (field: string, index?: number) => [fault(field, 'must not contain an admin key', index)];
    await assertRefused(writer.createAdminKey(id, { name: `for ${secret}` }), noKey('name'));
    await assertRefused(writer.createOrganization({ id: secret, name: 'Acme' }), noKey('id'));
    await assertRefused(writer.createAdminKey(secret), noKey('organization_id'));
    await assertRefused(writer.revokeAdminKey(secret), noKey('id'));
    await assertRefused(writer.setStatus(id, [secret], 'active'), noKey('id', 0));
    const problem = [fault(null, 'must be an object')];
    await assertRefused(writer.createOrganization(null as never), problem);
    await assertRefused(writer.createAdminKey(id, ['Acme'] as never), problem);
  });
});

test('an option of a writer that is wrong or unknown is refused by name, without its value', async () => {
  const database = 'sqlite:x.db';
  const refusal = (message: string) => ({ name: 'TypeError', message });
  const transaction = { query: async () => ({ rows: [] }) };
  for (const [options, message] of [
    [{ actor: 'a\nb' }, 'actor: must be 1 to 128 printable characters, without an admin key'],
    [{ vendor: 'A b' }, 'vendor: must be 1 to 32 of a-z 0-9 and inner hyphens, starting with a letter'],
    [{ acter: 'me' }, 'acter: unknown option, did you mean actor?'],
  ] as const) {
    await assert.rejects(openWriter({ database, ...options } as never), refusal(message));
    assert.throws(() => writerIn(transaction, options as never), refusal(message));
  }
  const noStore = refusal('database: must be sqlite:FILE or postgres://…');
  await assert.rejects(openWriter({ database: 'mysql://user:password@host' }), noStore);
  await assert.rejects(openWriter(undefined as never), refusal('options: must be an object'));
  const notItsOwn = refusal('database: unknown option; the options are actor, vendor');
  assert.throws(() => writerIn(transaction, { database } as never), notItsOwn);
  for (const value of [undefined, 'BEGIN', { query: true }])
    assert.throws(() => writerIn(value as never), refusal('transaction: must have a function query'));
});
