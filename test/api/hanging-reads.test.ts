import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAdminKey } from '../../src/roster/admin-key.ts';
import { AdminKeySecret } from '../../src/roster/admin-key-secret.ts';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { EMPTY_PAGE } from '../../src/roster/joined-page.ts';
import { now, VENDOR } from '../support/roster.ts';
import { atEndOf } from '../support/scope.ts';
import { startService } from '../support/service.ts';
import { stubReader } from '../support/stub-reader.ts';

test('while pages of one organization hang in the store, those of others are answered', async t => {
  const [hanging, other] = ['org_hanging', 'org_other'] as OrganizationId[];
  const secrets = [hanging, other].map(organizationId => {
    const secret = AdminKeySecret.issue(VENDOR);
    const name = 'test';
    return {
      secret: secret.reveal(),
      key: newAdminKey(secret, { organizationId: organizationId as OrganizationId, name, createdAt: now() }),
    };
  });
  const released = Promise.withResolvers<void>();
  const { reader } = stubReader({
    findAdminKey: async digest =>
      secrets.find(({ key }) => Buffer.compare(key.digest, digest) === 0)?.key ?? null,
    listApiKeys: async organization => {
      if (organization === hanging) await released.promise;
      return EMPTY_PAGE;
    },
  });
  const service = await startService(reader);
  atEndOf(t, () => service.close());
  const [ofHanging, ofOther] = secrets.map(({ secret }) => secret) as [string, string];
  const waiting = Array.from({ length: 12 }, () => service.list(ofHanging, 'limit=1000'));
  for (let page = 0; page < 20; page++)
    assert.equal((await service.listWithRetry(ofOther, 'limit=1000')).status, 200);
  released.resolve();
  await Promise.all(waiting);
});
