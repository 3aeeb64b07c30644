import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import type { ImportLine } from '../../../src/service/roster/imports.ts';
import type {
  ApiKeyId,
  CreatorId,
  OrganizationId,
  WorkspaceId,
} from '../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../src/shared/record/partial-key-hint.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf } from '../../support/opened.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';

const key = (change: Partial<ApiKey> = {}): ApiKey => ({
  id: 'apikey_1' as ApiKeyId,
  name: 'Developer Key',
  createdAt: 1_730_332_707_427_722n as Timestamp,
  createdBy: { id: 'user_1' as CreatorId, type: 'user' },
  partialKeyHint: 'sk-ven-R2D...igAA' as PartialKeyHint,
  status: 'active',
  workspaceId: 'wrkspc_1' as WorkspaceId,
  ...change,
});
const numbered = (number: number) => key({ id: `apikey_${number}` as ApiKeyId });

describeEachStore('importing API keys', open => {
  const rosterOf = (organization: OrganizationId) => recordsOf(open.reader, organization);
  const organizationWith = async (...keys: ApiKey[]) => {
    const { id } = await createOrganization(open.writer);
    await importKeys(open.writer, id, keys);
    return id;
  };

  test('refuses to change the status of an archived key, but renames it', async () => {
    const archived = key({ status: 'archived' });
    const organization = await organizationWith(archived);
    const put = (change: Partial<ApiKey>) => importKeys(open.writer, organization, [key(change)]);
    assert.equal((await put({ status: 'inactive' })).refused, 1);
    assert.equal((await put({ status: 'archived', name: 'Old' })).updated, 1);
  });

  test('inserts new keys, updates changed ones and leaves the others unchanged', async () => {
    const organization = await organizationWith(numbered(1), numbered(2));
    const changed = key({
      ...numbered(2),
      name: 'New name',
      status: 'inactive',
      workspaceId: null,
      partialKeyHint: 'sk-n...0000' as PartialKeyHint,
    });
    const counts = await importKeys(open.writer, organization, [numbered(1), changed, numbered(3)]);
    assert.deepEqual(counts, { inserted: 1, updated: 1, unchanged: 1, refused: 0, refusals: [] });
    assert.deepEqual(await rosterOf(organization), [numbered(3), changed, numbered(1)].map(renderApiKey));
  });

  test("doesn't touch a key with the same ID in another organization", async () => {
    const one = await organizationWith(numbered(1));
    const other = await organizationWith(key({ ...numbered(1), name: 'Other' }));
    assert.deepEqual(await rosterOf(one), [renderApiKey(numbered(1))]);
    assert.deepEqual(await rosterOf(other), [renderApiKey(key({ ...numbered(1), name: 'Other' }))]);
  });

  test('refuses to change what is fixed of a known key, and imports nothing', async () => {
    const fixed: [change: Partial<ApiKey>, field: string][] = [
      [{ createdAt: 1_730_332_707_427_723n as Timestamp }, 'created_at'],
      [{ createdBy: { id: 'user_2' as CreatorId, type: 'user' } }, 'created_by.id'],
      [{ createdBy: { id: 'user_1' as CreatorId, type: 'service_account' } }, 'created_by.type'],
    ];
    for (const [change, field] of fixed) {
      const organization = await organizationWith(numbered(1));
      const keys = [numbered(2), key(change)];
      const { refused, inserted, refusals } = await importKeys(open.writer, organization, keys);
      assert.deepEqual({ refused, inserted }, { refused: 1, inserted: 0 });
      assert.deepEqual(
        refusals.map(({ line, faults }) => [line, faults[0]?.field]),
        [[2, field]],
      );
      assert.deepEqual(await rosterOf(organization), [renderApiKey(numbered(1))]);
    }
  });

  test('imports nothing when a line is invalid or the source fails, and the next import succeeds', async () => {
    const organization = await organizationWith(numbered(1));
    const invalid: ImportLine[] = [
      { line: 1, organizationId: organization, key: numbered(2) },
      { line: 2, organizationId: organization, faults: [{ field: 'status', problem: 'bad' }], source: 'bad' },
    ];
    const run = (source: () => AsyncGenerator<ImportLine[]>) =>
      open.writer.importApiKeys(source(), { onRefused: () => {} });
    assert.equal(
      (
        await run(async function* () {
          yield invalid;
        })
      ).refused,
      1,
    );
    await assert.rejects(
      run(async function* () {
        yield [{ line: 1, organizationId: organization, key: numbered(2) }];
        throw new Error('source failed');
      }),
      /source failed/,
    );
    assert.deepEqual(await rosterOf(organization), [renderApiKey(numbered(1))]);
    assert.equal((await importKeys(open.writer, organization, [numbered(2)])).inserted, 1);
  });
});
