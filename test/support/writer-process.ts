/**
 * Imports API keys of one organization into the store at KEYROSTER_DATABASE_URL: a batch per message, in order, until the parent
 * disconnects. Replies to each batch when it is committed. `second-writer.ts` starts it as a child process.
 */
import assert from 'node:assert/strict';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { OrganizationId } from '../../src/shared/record/identifier.ts';
import { importKeys } from './roster.ts';
import { storeAt } from './store-at.ts';

const { KEYROSTER_DATABASE_URL: url = '', ORGANIZATION } = process.env;
const organization = ORGANIZATION as OrganizationId;
const writer = await storeAt(url).openWriter();
let queue: Promise<unknown> = Promise.resolve();

process.on('message', (batch: ApiKey[]) => {
  queue = queue.then(async () => {
    assert.deepEqual((await importKeys(writer, organization, batch)).refusals, []);
    process.send?.('committed');
  });
});
process.on('disconnect', () => {
  queue = queue.then(() => writer.close());
});
process.send?.('ready');
