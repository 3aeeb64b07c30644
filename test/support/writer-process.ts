/**
 * Imports API keys into one organization of the store at KEYROSTER_DATABASE_URL: a batch per message, in order, until the
 * parent disconnects. Replies to each batch when it is committed. `second-writer.ts` starts it as a child process.
 */
import assert from 'node:assert/strict';
import type { ApiKey } from '../../src/roster/api-key.ts';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { importKeys } from './roster.ts';
import { storeAt } from './store-at.ts';

const { KEYROSTER_DATABASE_URL: url = '', ORGANIZATION: organization } = process.env;
const writer = await storeAt(url).openWriter();
let queue: Promise<unknown> = Promise.resolve();

process.on('message', (batch: ApiKey[]) => {
  queue = queue.then(async () => {
    const { refusals, ...counts } = await importKeys(writer, organization as OrganizationId, batch);
    assert.deepEqual(refusals, []);
    process.send?.(counts);
  });
});
process.on('disconnect', () => {
  queue = queue.then(() => writer.close());
});
process.send?.('ready');
