import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import type { ApiKeyRecord } from '../../src/roster/api-key-record.ts';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { type OlderStoreKind, olderRecords, olderStoreKinds } from '../support/older-store.ts';
import { atEndOf, type Scope, suiteScope } from '../support/scope.ts';
import { startService } from '../support/service.ts';

const BIRCH = 'org_birch' as OrganizationId;
const ALDER = 'org_alder' as OrganizationId;
const { org_birch: birch, org_alder: alder } = olderRecords;

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
