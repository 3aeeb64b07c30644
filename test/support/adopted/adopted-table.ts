/** A vendor's table that is served where it is, with the vendor's own IDs and times: what it has, and what its vendor does. */
import assert from 'node:assert/strict';
import { modelPage } from '../../../src/service/conformance/model.ts';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import { isGreaterText, type Page } from '../../../src/service/roster/pages/page.ts';
import type { StoreReader } from '../../../src/service/roster/pages/reader.ts';
import { failedFilters, isVisible } from '../../../src/service/roster/pages/visible.ts';
import type { Filter } from '../../../src/shared/record/filters.ts';
import type { ApiKeyId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import type { ListQuery } from '../../../src/shared/record/list-query.ts';
import { connect } from '../connect.ts';
import { readerOf } from '../opened.ts';
import { organizationIn } from '../roster.ts';
import { atEndOf, type Scope } from '../scope.ts';
import { startService } from '../service.ts';
import { storeAt } from '../store-at.ts';
import { createAdopted } from './vendor-database.ts';
import type { MappingFile, VendorTable } from './vendor-table.ts';

export type AdoptedTable = Awaited<ReturnType<typeof serveTable>>;

/** The table, without API keys, served to one organization. Beside it are the vendor's connection, and an admin key. */
export async function serveTable(scope: Scope, table: VendorTable, mapping: MappingFile = table.mapping) {
  const { url, remove } = await createAdopted(table, mapping);
  atEndOf(scope, remove);
  const client = await connect(scope, url);
  const { id: organization, secret } = await organizationIn(storeAt(url));
  const reader = await readerOf(scope, storeAt(url));
  const service = await startService(reader);
  atEndOf(scope, () => service.close());
  return { url, client, reader, service, organization, secret };
}

/** Asserts that a page is that of a model which sorts, filters and slices these keys. Returns the page. */
export async function assertPage(
  reader: StoreReader,
  organization: string,
  keys: readonly ApiKey[],
  query: ListQuery,
): Promise<Page | null> {
  const page = await reader.listApiKeys(organization as OrganizationId, query);
  const expected = modelPage(keys, query, isGreaterText); // the view has IDs as text
  assert.deepEqual(
    page && { records: page.items.map(({ record }) => JSON.parse(record)), hasMore: page.hasMore },
    expected && {
      records: expected.keys.map(key => JSON.parse(renderApiKey(key))),
      hasMore: expected.hasMore,
    },
  );
  return page;
}

export interface Walk {
  readonly direction: 'after' | 'before';
  readonly query: Omit<ListQuery, 'cursor'>;
}

/**
 * Walks an organization from end to end. Before each page but the first the vendor changes its table, and tells the keys it has
 * then. Asserts that each page is that of a model of them, and that the walk has each key that matched throughout, once.
 */
export async function assertWalk(
  reader: StoreReader,
  organization: string,
  first: readonly ApiKey[],
  { direction, query }: Walk,
  change: (cursor: ApiKeyId) => Promise<readonly ApiKey[]>,
): Promise<void> {
  const matching = (keys: readonly ApiKey[]) =>
    keys
      .filter(key => isVisible(key, query) && failedFilters(key, query.filter).length === 0)
      .map(({ id }) => id);
  const start = direction === 'before' ? oldestOf(first, query.scope) : null;
  let cursor: ListQuery['cursor'] = start && { direction, id: start };
  let keys = first;
  let throughout = matching(first).filter(id => id !== start);
  const seen: ApiKeyId[] = [];
  for (;;) {
    const page = await assertPage(reader, organization, keys, { ...query, cursor });
    seen.push(...(page?.items.map(({ id }) => id) ?? []));
    const end = page?.items.at(direction === 'after' ? -1 : 0)?.id;
    if (!page?.hasMore || !end) break;
    cursor = { direction, id: end };
    keys = await change(end);
    const still = new Set(matching(keys));
    throughout = throughout.filter(id => still.has(id));
  }
  assert.equal(new Set(seen).size, seen.length, 'no key is repeated');
  assert.deepEqual(
    throughout.filter(id => !seen.includes(id)),
    [],
    'no key is missed',
  );
}

function oldestOf(keys: readonly ApiKey[], filter: Filter = {}): ApiKeyId {
  const all = modelPage(keys, { limit: Number.POSITIVE_INFINITY, cursor: null, filter }, isGreaterText);
  return all?.keys.at(-1)?.id as ApiKeyId;
}
