import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { embeddedStore } from '../support/embedded-store.ts';
import { createOrganization } from '../support/roster.ts';
import { storeAt } from '../support/store-at.ts';

test('a snapshot of a restored backup holds up no writer, though a backup has no write-ahead log', async t => {
  const { folder, url } = await embeddedStore(t);
  const copy = join(folder, 'copy.db');
  await storeAt(url).backup(copy);
  const restored = storeAt(`sqlite:${copy}`);
  const reader = await restored.openOperatorReader();
  t.after(() => reader.close());
  await reader.readSnapshot(async snapshot => {
    const writer = await restored.openWriter(undefined, 0);
    const { id } = await createOrganization(writer).finally(() => writer.close());
    await assert.rejects(snapshot.findOrganization(id), /no organization/);
    await reader.findOrganization(id);
  });
});
