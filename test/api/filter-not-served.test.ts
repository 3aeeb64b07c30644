import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FilterNotServed } from '../../src/roster/errors.ts';
import { activeFilters } from '../../src/roster/filters.ts';
import { startService } from '../support/service.ts';
import { stubReader } from '../support/stub-reader.ts';

test("a filter that a vendor's own table isn't made for is a 400 that names it, and no fault of the service", async t => {
  const { reader, secret } = stubReader({
    listApiKeys: async (_, { filter }) => {
      throw new FilterNotServed(activeFilters(filter));
    },
  });
  const service = await startService(reader);
  t.after(() => service.close());
  const { status, body } = await service.list(secret, 'workspace_id=wrk_1&created_by_user_id=user_1');
  assert.equal(status, 400);
  assert.equal(body.error.type, 'invalid_request_error');
  assert.equal(body.error.message, "workspace_id, created_by_user_id: this service can't filter by it");
});
