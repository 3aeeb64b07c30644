import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { makePair, pairFiles } from '../../support/certificate.ts';
import { startServiceProcess, startTenantService, type Tenant } from '../../support/service-process.ts';
import { openSlowly, slowHandshakes, slowKinds } from '../../support/slow-connections.ts';

const scope = { after };
const service = await startTenantService(scope, { tenants: 1 });
const [tenant] = service.tenants as [Tenant];
const pair = makePair();
const secureService = await startServiceProcess(scope, service.store.url, pairFiles(scope, pair).env);

// The tests wait for their timeouts concurrently.
describe('connections are closed by a timeout', { concurrency: true, timeout: 20_000 }, () => {
  for (const kind of slowKinds(tenant)) {
    test(kind.what, async () => {
      const ends = await Promise.all(await openSlowly(service.port, kind, 3));
      assert.equal(ends.length, 3);
      assert(service.running());
    });

    test(`${kind.what}, with TLS`, async () => {
      await Promise.all(await openSlowly(secureService.port, kind, 2, pair.cert));
      assert(secureService.running());
    });
  }

  for (const kind of slowHandshakes()) {
    test(kind.what, async () => {
      await Promise.all(await openSlowly(secureService.port, kind, 3));
      assert(secureService.running());
    });
  }
});
