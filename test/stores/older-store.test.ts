import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import { type ApiKey, STATUSES } from '../../src/roster/api-key.ts';
import type { ApiKeyRecord } from '../../src/roster/api-key-record.ts';
import { Refused } from '../../src/roster/errors.ts';
import type { ApiKeyId, OrganizationId } from '../../src/roster/identifier.ts';
import { parseApiKey } from '../../src/roster/parse-api-key.ts';
import { type OlderStoreKind, olderRecords, olderStoreKinds } from '../support/older-store.ts';
import { importKeys } from '../support/roster.ts';
import { atEndOf, type Scope, suiteScope } from '../support/scope.ts';
import { startService } from '../support/service.ts';

const BIRCH = 'org_birch' as OrganizationId;
const ALDER = 'org_alder' as OrganizationId;
const { org_birch: birch, org_alder: alder } = olderRecords;
const newest = String(birch.at(0)?.id);
const oldest = String(birch.at(-1)?.id);

for (const kind of olderStoreKinds) {
  describe(`a store of release 0.1.0, migrated, over ${kind.name}`, () => {
    const scope = suiteScope();
    let served: Served;
    before(async () => {
      served = await servedStore(scope, kind);
    });

    test('lists each record of each organization byte for byte as that release did', async () => {
      assert.equal(await served.text(BIRCH, 'limit=1000'), pageText(birch));
      assert.equal(await served.text(ALDER, 'limit=1000'), pageText(alder));
    });

    test('is walked in both directions', async () => {
      assert.equal(await served.text(BIRCH, `limit=1000&after_id=${newest}`), pageText(birch.slice(1)));
      assert.equal(await served.text(BIRCH, `limit=1000&before_id=${oldest}`), pageText(birch.slice(0, -1)));
      for (const [index, { id }] of birch.entries()) {
        const next = birch.slice(index + 1);
        assert.equal(
          await served.text(BIRCH, `limit=7&after_id=${id}`),
          pageText(next.slice(0, 7), next.length > 7),
        );
        const previous = birch.slice(0, index);
        assert.equal(
          await served.text(BIRCH, `limit=7&before_id=${id}`),
          pageText(previous.slice(-7), previous.length > 7),
        );
      }
    });

    test('lists the records that match each combination of filters', async () => {
      const ids = (values: readonly (string | null)[]) => [null, ...new Set(values)];
      for (const status of [null, ...STATUSES])
        for (const workspace of ids(birch.map(({ workspace_id }) => workspace_id)))
          for (const creator of ids(birch.map(({ created_by }) => created_by.id))) {
            const query = new URLSearchParams({
              limit: '1000',
              ...(status !== null && { status }),
              ...(workspace !== null && { workspace_id: workspace }),
              ...(creator !== null && { created_by_user_id: creator }),
            });
            const matching = birch.filter(
              record =>
                (status === null || record.status === status) &&
                (workspace === null || record.workspace_id === workspace) &&
                (creator === null || record.created_by.id === creator),
            );
            assert.equal(await served.text(BIRCH, query.toString()), pageText(matching), String(query));
          }
    });

    test('accepts its valid admin keys, and refuses the revoked and the expired one', async () => {
      const statuses: [string, number][] = [];
      for (const { name, secret } of kind.adminKeys) statuses.push([name, (await served.get(secret)).status]);
      assert.deepEqual(statuses, [
        ['valid', 200],
        ['expires late', 200],
        ['expired', 401],
        ['revoked', 401],
        ['valid', 200],
      ]);
    });

    test('has the same schema as a new store', async t => {
      assert.deepEqual(await kind.schemaOf(served.store), await kind.schemaOf(await kind.createCurrent(t)));
    });
  });

  test(`a store of release 0.1.0, migrated, accepts imports and changes of status, over ${kind.name}`, async t => {
    const { store, text } = await servedStore(t, kind);
    const writer = await store.openWriter();
    atEndOf(t, () => writer.close());
    const idWith = (status: string) => birch.find(record => record.status === status)?.id as ApiKeyId;
    const imported = idWith('active');
    const [toArchive, archived] = [idWith('inactive'), idWith('archived')];
    const changed = birch.map(record => ({
      ...record,
      ...(record.id === imported && { status: 'inactive' as const }),
      ...(record.id === toArchive && { status: 'archived' as const }),
    }));

    const { refusals, ...counts } = await importKeys(
      writer,
      BIRCH,
      changed.filter(({ id }) => id !== toArchive).map(keyOf),
    );
    assert.deepEqual(refusals, []);
    assert.deepEqual(counts, { inserted: 0, updated: 1, unchanged: birch.length - 2, refused: 0 });
    assert.deepEqual(await writer.setStatus(BIRCH, [toArchive], 'archived'), { changed: 1, unchanged: 0 });
    await assert.rejects(writer.setStatus(BIRCH, [archived], 'active'), Refused);

    assert.equal(await text(BIRCH, 'limit=1000'), pageText(changed));
    for (const status of STATUSES) {
      const matching = changed.filter(record => record.status === status);
      assert.equal(await text(BIRCH, `limit=1000&status=${status}`), pageText(matching), status);
    }
    assert.equal(await text(ALDER, 'limit=1000'), pageText(alder));
  });
}

type Served = Awaited<ReturnType<typeof servedStore>>;

async function servedStore(scope: Scope, kind: OlderStoreKind) {
  const store = await kind.create(scope);
  await store.migrate();
  assert.equal(await store.migrate(), 0);
  const reader = await store.openReader();
  atEndOf(scope, () => reader.close());
  const service = await startService(reader);
  atEndOf(scope, () => service.close());
  const get = (secret: string, query = '') =>
    fetch(`${service.url}${LIST_API_KEYS_PATH}?${query}`, {
      headers: { 'x-api-key': secret, 'vendor-version': '2023-06-01' },
    });
  const secretOf = (organization: OrganizationId) =>
    String(kind.adminKeys.find(key => key.organization_id === organization && key.name === 'valid')?.secret);
  /** The body of a page, exactly as the service sends it. */
  const text = async (organization: OrganizationId, query: string) =>
    (await get(secretOf(organization), query)).text();
  return { store, get, text };
}

/** The exact body of a page with these records (docs/api.md#answer). */
function pageText(records: readonly ApiKeyRecord[], hasMore = false): string {
  const id = (record: ApiKeyRecord | undefined) => record?.id ?? null;
  return JSON.stringify({
    data: records,
    first_id: id(records.at(0)),
    last_id: id(records.at(-1)),
    has_more: hasMore,
  });
}

function keyOf(record: ApiKeyRecord): ApiKey {
  const parsed = parseApiKey(record);
  assert.ok('key' in parsed);
  return parsed.key;
}
