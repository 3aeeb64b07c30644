import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../../src/service/api/errors.ts';
import { parseListQuery } from '../../../src/service/api/parse-list-query.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import type { Listing } from '../../../src/service/roster/roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { createOrganization, now, VENDOR } from '../../support/roster.ts';
import { numberedKey } from '../../support/seeded-service.ts';
import { sqlite } from '../../support/sqlite-store.ts';

describeEachStore('the page of an admin key', open => {
  test('is the page that is admitted, whether at once or later', async () => {
    const { id: organizationId, secret } = await createOrganization(open.writer);
    await open.writer.putApiKeys(organizationId, [numberedKey(0), numberedKey(1)]);
    const digest = AdminKeySecret.parse(secret)?.digest() as Uint8Array;
    const admitted: Listing = { organizationId, query: parseListQuery('limit=1') };
    for (const answer of [admitted, Promise.resolve(admitted)]) {
      const page = await open.reader.listAs(digest, now(), key => {
        assert.equal(key?.organizationId, organizationId);
        return answer;
      });
      assert.deepEqual([page?.count, page?.hasMore], [1, true]);
    }
  });

  test('is refused as `admit` refuses it, at once or later', async () => {
    const unknown = AdminKeySecret.issue(VENDOR).digest();
    const refusal = new ApiError(401, 'not valid');
    const refuse = (key: unknown) => {
      assert.equal(key, null);
      throw refusal;
    };
    await assert.rejects(open.reader.listAs(unknown, now(), refuse), refusal);
    await assert.rejects(
      open.reader.listAs(unknown, now(), async key => refuse(key)),
      refusal,
    );
  });
});

test('over SQLite a key and its page are of one snapshot where nobody else waits, whatever is committed between them', async t => {
  const store = await sqlite.create();
  t.after(() => store.remove());
  const writer = await store.openWriter();
  const reader = await store.openReader();
  t.after(() => Promise.all([writer.close(), reader.close()]));
  const { id: organizationId, secret } = await createOrganization(writer);
  const digest = AdminKeySecret.parse(secret)?.digest() as Uint8Array;
  const listing: Listing = { organizationId, query: parseListQuery('') };
  const pageAfter = (change: () => void) =>
    reader.listAs(digest, now(), () => {
      change();
      return listing;
    });
  const database = new DatabaseSync(store.url.slice('sqlite:'.length));
  t.after(() => database.close());
  await writer.putApiKeys(organizationId, [numberedKey(0)]);
  await reader.findAdminKey(digest, now());
  await nextTurn();
  const rename = `UPDATE api_keys SET record = replace(record, 'Key 0', 'renamed')`;
  const before = await pageAfter(() => database.exec(rename));
  const after = await pageAfter(() => {});
  assert.deepEqual(
    [before, after].map(page => page?.records.includes('renamed')),
    [false, true],
  );
});
