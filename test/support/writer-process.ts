/**
 * A process of its own that imports API keys into one organization of the store that KEYROSTER_DATABASE_URL names,
 * a batch per message, in the order of the messages, until it is told to stop by a disconnect. It answers each
 * batch when it is committed. Started by `second-writer.ts`.
 */
import assert from 'node:assert/strict';
import type { ApiKey } from '../../src/roster/api-key.ts';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { importKeys } from './roster.ts';
import { storeAt } from './store-at.ts';

const { KEYROSTER_DATABASE_URL: url = '', ORGANIZATION: organization } = process.env;
const writer = await storeAt(url).openWriter();
let work: Promise<unknown> = Promise.resolve();

process.on('message', (batch: ApiKey[]) => {
  work = work.then(async () => {
    const { refusals, ...counts } = await importKeys(writer, organization as OrganizationId, batch);
    assert.deepEqual(refusals, []);
    process.send?.(counts);
  });
});
process.on('disconnect', () => {
  work = work.then(() => writer.close());
});
process.send?.('ready');
