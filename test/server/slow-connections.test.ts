import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startTenantService, type Tenant } from '../support/service-process.ts';
import { openSlowly, slowKinds } from '../support/slow-connections.ts';

const service = await startTenantService({ after }, { tenants: 1 });
const [tenant] = service.tenants as [Tenant];

// The tests wait for their timeouts concurrently.
describe('connections are closed by a timeout', { concurrency: true, timeout: 20_000 }, () => {
  for (const kind of slowKinds(tenant)) {
    test(kind.what, async () => {
      const ends = await Promise.all(await openSlowly(service.port, kind, 3));
      assert.equal(ends.length, 3);
      assert(service.running());
    });
  }
});
