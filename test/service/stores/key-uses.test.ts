import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import type { DeclaredField } from '../../../src/service/roster/declared-fields.ts';
import type { FeedLine } from '../../../src/service/roster/writes/key-writer.ts';
import type { PutOutcome } from '../../../src/service/roster/writes/put-outcome.ts';
import type { ApiKeyId, ImportId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { parseTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf } from '../../support/opened.ts';
import { createOrganization, importKeys, importLines } from '../../support/roster.ts';

const [first, second] = firstKeys(2) as [ApiKey, ApiKey];
const at = (text: string) => parseTimestamp(text) as Timestamp;
const EARLY = '2026-01-02T03:04:05.000001Z';
const LATE = '2026-01-02T03:04:05.000002Z';

describeEachStore('uses of keys', open => {
  let organizationId: OrganizationId;
  const records = async () =>
    (await recordsOf(open.writer, organizationId)).map(record => JSON.parse(record));
  const lastUses = async () =>
    Object.fromEntries((await records()).map(each => [each.id, each.last_used_at]));
  const fieldOf = async (name: string) =>
    (await open.writer.listFields()).find(each => each.name === name) as DeclaredField;
  const useOf = ({ id }: { id: ApiKeyId }, time: string): FeedLine => ({
    organizationId,
    key: { id, lastUsedAt: at(time) },
  });
  const shown = (outcomes: readonly PutOutcome[]) =>
    outcomes.map(each =>
      'result' in each ? each.result : each.faults.map(({ field, problem }) => `${field}: ${problem}`)[0],
    );
  const inserted = async (keys: readonly ApiKey[]) => {
    organizationId = (await createOrganization(open.writer)).id;
    const lines = keys.map((key, index) => ({ line: index + 1, organizationId, key }));
    return (await importLines(open.writer, lines)).importId as ImportId;
  };

  test('are refused where last_used_at is not declared', async () => {
    await inserted([first]);
    const [outcome] = shown(await open.writer.feedApiKeys([useOf(first, EARLY)]));
    assert.match(String(outcome), /^last_used_at: is not declared: "keyroster fields add"/);
    await assert.rejects(open.writer.feedApiKeys([useOf(first, EARLY)], true), /is not declared/);
    await open.writer.addField({ name: 'rotated_at', type: { kind: 'timestamp' } });
    await open.writer.addField({ name: 'last_used_at', type: { kind: 'timestamp' } });
  });

  test('move the time forward only, and each line has its own outcome', async () => {
    await inserted([first, second]);
    const unknown = { ...useOf(first, LATE), organizationId: 'org_unknown' as OrganizationId };
    const outcomes = await open.writer.feedApiKeys([
      useOf(first, EARLY),
      useOf(first, LATE),
      useOf(first, EARLY),
      useOf(first, LATE),
      useOf({ id: 'apikey_unknown' as ApiKeyId }, LATE),
      unknown,
      useOf(second, EARLY),
    ]);
    assert.deepEqual(shown(outcomes), [
      'updated',
      'updated',
      'unchanged',
      'unchanged',
      'id: no such API key in this organization',
      'organization_id: there is no organization with this ID: "keyroster organizations list" shows them',
      'updated',
    ]);
    assert.deepEqual(await lastUses(), { [first.id]: LATE, [second.id]: EARLY });
    assert.deepEqual(shown(await open.writer.feedApiKeys([useOf(second, EARLY)])), ['unchanged']);
  });

  test('of an issuer are all recorded, or none', async () => {
    await inserted([first, second]);
    const record = async (...ids: string[]) => {
      const uses = ids.map(id => useOf({ id: id as ApiKeyId }, EARLY));
      return shown(await open.writer.feedApiKeys(uses, true));
    };
    await assert.rejects(record(first.id, 'apikey_unknown'), {
      name: 'Refused',
      message: 'nothing was changed: key 1: id: no such API key in this organization',
    });
    assert.deepEqual(await lastUses(), { [first.id]: null, [second.id]: null });
    assert.deepEqual(await record(first.id, first.id, second.id), ['updated', 'unchanged', 'updated']);
    assert.deepEqual(await lastUses(), { [first.id]: EARLY, [second.id]: EARLY });
  });

  test('come with new keys in one batch, and leave the other fields as they are', async () => {
    await inserted([]);
    const key = { ...first, declared: [{ field: await fieldOf('rotated_at'), value: EARLY }] };
    const outcomes = await open.writer.feedApiKeys([{ organizationId, key }, useOf(first, LATE)]);
    assert.deepEqual(shown(outcomes), ['inserted', 'updated']);
    const [{ rotated_at, last_used_at, name }] = await records();
    assert.deepEqual([rotated_at, last_used_at, name], [EARLY, LATE, first.name]);
  });

  test('are no changes: nothing is in the audit log, and an import can be taken back', async () => {
    const importId = await inserted([first]);
    const entries = () => open.writer.listAuditEntries({ organizationId }, 0, 100);
    const audited = (await entries()).length;
    await open.writer.feedApiKeys([useOf(first, EARLY)]);
    await open.writer.feedApiKeys([useOf(first, LATE)], true);
    assert.equal((await entries()).length, audited);
    const [reverted] = await open.writer.revertImport(importId, {});
    assert.equal(reverted?.deleted, 1);
  });

  test('are kept when a key is put or imported without them, or with an earlier one', async () => {
    await inserted([first]);
    const field = await fieldOf('last_used_at');
    await open.writer.feedApiKeys([useOf(first, LATE)]);
    const put = (key: ApiKey) => open.writer.putApiKeys(organizationId, [key]);
    const imported = async (key: ApiKey) => {
      const { inserted, updated, unchanged } = await importKeys(open.writer, organizationId, [key]);
      return { inserted, updated, unchanged };
    };
    const unchanged = { inserted: 0, updated: 0, unchanged: 1 };
    const updated = { inserted: 0, updated: 1, unchanged: 0 };
    const earlier = { ...first, declared: [{ field, value: EARLY }] };
    for (const key of [first, earlier]) {
      assert.deepEqual(await put(key), unchanged);
      assert.deepEqual(await imported(key), unchanged);
      assert.deepEqual(await put({ ...key, name: 'Put' }), updated);
      assert.deepEqual(await imported({ ...key, name: 'Imported' }), updated);
      assert.deepEqual(await lastUses(), { [first.id]: LATE });
      await put(first);
    }
    const later = { ...first, declared: [{ field, value: '2026-01-02T03:04:05.000003Z' }] };
    assert.deepEqual(await imported(later), updated);
    assert.deepEqual(await lastUses(), { [first.id]: '2026-01-02T03:04:05.000003Z' });
  });
});
