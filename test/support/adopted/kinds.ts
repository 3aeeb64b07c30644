import assert from 'node:assert/strict';
import type { Mapping } from '../../../src/service/postgres/vendor-table/mapping.ts';
import { parseMapping } from '../../../src/service/postgres/vendor-table/mapping.ts';
import { storeAt, TEST_ACTOR } from '../store-at.ts';
import { createDatabase, type TestStore } from '../stores.ts';
import { LINGUISTIC } from './vendor-database.ts';
import type { MappingFile, VendorTable } from './vendor-table.ts';

/** A new database with this table, adopted, and without API keys. */
export async function createAdopted(
  table: VendorTable,
  mapping: MappingFile = table.mapping,
): Promise<Pick<TestStore, 'url' | 'remove'>> {
  const database = await createDatabase(LINGUISTIC);
  await table.create(database.url);
  await adopt(database.url, mapping);
  return database;
}

export async function adopt(url: string, file: MappingFile): Promise<void> {
  const store = storeAt(url);
  await (await store.adoption()).apply(parsed(file), {
    actor: TEST_ACTOR,

    onStep: () => {},
  });
}

function parsed(file: MappingFile): Mapping {
  const result = parseMapping(file);
  assert('mapping' in result, JSON.stringify(result));
  return result.mapping;
}
