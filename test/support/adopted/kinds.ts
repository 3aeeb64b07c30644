/** Stores whose API keys are in a vendor's own table: the reader is the real one, and whoever writes does it in the table. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { Client } from 'pg';
import type { Mapping } from '../../../src/postgres/adoption/mapping/mapping.ts';
import { parseMapping } from '../../../src/postgres/adoption/mapping/parse-mapping.ts';
import type { ApiKey } from '../../../src/roster/api-key.ts';
import { JoinedPage } from '../../../src/roster/joined-page.ts';
import type { ImportLine, PageReader, RosterWriter } from '../../../src/roster/roster.ts';
import { storeAt, TEST_ACTOR } from '../store-at.ts';
import { createDatabase, type StoreKind, storeKinds, type TestStore } from '../stores.ts';
import { mixedCase } from './mixed-case.ts';
import { NativeValues } from './native-values.ts';
import { vendorTables } from './tables.ts';
import { LINGUISTIC } from './vendor-database.ts';
import { type MappingFile, putKeys, type VendorTable } from './vendor-table.ts';

/**
 * `vendor-tables.test.ts` and its soak set how many of a suite's random cases run over vendors' tables, and then the suites run over
 * those alone: in one process, so that a database for each of them is made only once.
 */
const SHARE = process.env.KEYROSTER_TEST_VENDOR_SHARE;

/** Where few cases run, they run over the table that differs most from ours, in names, times and types. */
const tables = SHARE === '1' ? vendorTables : [mixedCase];

const adoptedKinds: readonly StoreKind[] = tables.map(table => {
  let created: ReturnType<typeof createAdoptedStore> | undefined;
  after(async () => (await created)?.database.remove());
  return {
    name: `a vendor's table (${table.name})`,
    share: Number(SHARE),
    async create() {
      created ??= createAdoptedStore(table);
      return (await created).store;
    },
  };
});

/** The stores whose pages are read. Suites over them share a vendor's table, and keep apart by organization. */
export const readableKinds: readonly StoreKind[] = SHARE === undefined ? storeKinds : adoptedKinds;

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
    role: undefined,
    onStep: () => {},
  });
}

function parsed(file: MappingFile): Mapping {
  const result = parseMapping(file);
  assert('mapping' in result, JSON.stringify(result));
  return result.mapping;
}

async function createAdoptedStore(table: VendorTable) {
  const database = await createAdopted(table);
  const own = storeAt(database.url);
  const values = new NativeValues(table);
  const store: TestStore = {
    ...own,
    url: database.url,
    remove: async () => {},
    vendor: { table: table.name, keys: (organization, keys) => values.keys(organization, keys) },
    openReader: async options => translated(await own.openReader(options), values),
    openWriter: async actor => vendorWriter(await own.openWriter(actor), database.url, table, values),
  };
  return { database, store };
}

/** A reader of the content as the suite gave it. */
function translated<Reader extends PageReader>(reader: Reader, values: NativeValues): Reader {
  return {
    ...reader,
    async listApiKeys(organization, query) {
      const cursor = query.cursor && {
        ...query.cursor,
        id: values.cursor(organization, query.cursor.id),
      };
      const page = await reader.listApiKeys(organization, { ...query, cursor });
      if (page === null) return null;
      const items = page.items.map(item => values.item(organization, item));
      return JoinedPage.of({ items, hasMore: page.hasMore });
    },
  };
}

/** Organizations and admin keys are Keyroster's own. */
async function vendorWriter(
  own: RosterWriter,
  url: string,
  table: VendorTable,
  values: NativeValues,
): Promise<RosterWriter> {
  const client = new Client(url);
  await client.connect();
  return {
    ...translated(own, values),
    async importApiKeys(source) {
      const imported: Extract<ImportLine, { key: ApiKey }>[] = [];
      for await (const lines of source) for (const line of lines) if ('key' in line) imported.push(line);
      for (const [organization, lines] of Map.groupBy(imported, line => line.organizationId)) {
        const keys = lines.map(({ key }) => key);
        await putKeys(client, table, organization, values.keys(organization, keys));
      }
      const none = { updated: 0, unchanged: 0, refused: 0, organizations: [] };
      return { importId: null, inserted: imported.length, ...none };
    },
    close: async () => {
      await client.end();
      await own.close();
    },
  };
}
