/** Stores, and what is opened of them, until a scope's end. */

import type { StoreReader } from '../../src/service/roster/pages/reader.ts';
import type { OperatorReader, RosterWriter } from '../../src/service/roster/roster.ts';
import type { Filter } from '../../src/shared/record/filters.ts';
import type { OrganizationId } from '../../src/shared/record/identifier.ts';
import { atEndOf, type Scope } from './scope.ts';
import { postgres, type StoreKind, type TestStore } from './stores.ts';

export async function newStore(scope: Scope, kind: StoreKind = postgres): Promise<TestStore> {
  const store = await kind.create();
  atEndOf(scope, () => store.remove());
  return store;
}

export async function readerOf(scope: Scope, store: Pick<TestStore, 'openReader'>): Promise<StoreReader> {
  const reader = await store.openReader();
  atEndOf(scope, () => reader.close());
  return reader;
}

export async function writerOf(scope: Scope, store: Pick<TestStore, 'openWriter'>): Promise<RosterWriter> {
  const writer = await store.openWriter();
  atEndOf(scope, () => writer.close());
  return writer;
}

/** The first 1,000 records of the organization that match, newest first. */
export async function recordsOf(
  roster: Pick<OperatorReader, 'listApiKeys'>,
  organization: OrganizationId,
  filter: Filter = {},
): Promise<string[]> {
  const page = await roster.listApiKeys(organization, { limit: 1000, cursor: null, filter });
  return page?.items.map(({ record }) => record) ?? [];
}
