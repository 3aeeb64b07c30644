/**
 * Writes API keys of one organization into the store at KEYROSTER_DATABASE_URL: a batch per message, in order, until the parent
 * disconnects. It imports them, or runs the vendor's SQL where VENDOR_TABLE names the table they are in. Replies to each batch
 * when it is committed. `second-writer.ts` starts it as a child process.
 */
import assert from 'node:assert/strict';
import { Client } from 'pg';
import type { ApiKey } from '../../src/roster/api-key.ts';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { vendorTables } from './adopted/tables.ts';
import { putKeys, type VendorTable } from './adopted/vendor-table.ts';
import { importKeys } from './roster.ts';
import { storeAt } from './store-at.ts';

const { KEYROSTER_DATABASE_URL: url = '', ORGANIZATION, VENDOR_TABLE } = process.env;
const organization = ORGANIZATION as OrganizationId;
const table = vendorTables.find(({ name }) => name === VENDOR_TABLE);
const writer = await (table ? vendorWriter(table) : importingWriter());
let queue: Promise<unknown> = Promise.resolve();

async function importingWriter() {
  const store = await storeAt(url).openWriter();
  return {
    write: async (batch: readonly ApiKey[]) =>
      assert.deepEqual((await importKeys(store, organization, batch)).refusals, []),
    close: () => store.close(),
  };
}

async function vendorWriter(table: VendorTable) {
  const client = new Client(url);
  await client.connect();
  return {
    write: (batch: readonly ApiKey[]) => putKeys(client, table, organization, batch),
    close: () => client.end(),
  };
}

process.on('message', (batch: ApiKey[]) => {
  queue = queue.then(async () => {
    await writer.write(batch);
    process.send?.('committed');
  });
});
process.on('disconnect', () => {
  queue = queue.then(() => writer.close());
});
process.send?.('ready');
