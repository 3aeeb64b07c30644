import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../src/roster/errors.ts';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { ALL, now } from '../support/roster.ts';
import { atEndOf } from '../support/scope.ts';
import { startStallingProxy } from '../support/stalling-proxy.ts';
import { storeAt } from '../support/store-at.ts';
import { postgres } from '../support/stores.ts';
import { until } from '../support/until.ts';

test("when the connection breaks before a commit is acknowledged, the error doesn't claim that nothing was changed", async t => {
  const store = await postgres.create();
  atEndOf(t, () => store.remove());
  const direct = await store.openWriter();
  atEndOf(t, () => direct.close());
  const url = new URL(store.url);
  const proxy = await startStallingProxy(Number(url.port));
  url.port = String(proxy.port);
  const writer = await storeAt(url.href).openWriter();
  atEndOf(t, () => writer.close());

  proxy.stallAnswersAfter('COMMIT\0');
  const id = 'org_committed' as OrganizationId;
  const refused = writer.createOrganization({ id, name: 'Committed', createdAt: now() }).then(
    () => assert.fail('the commit was acknowledged'),
    (error: unknown) => error,
  );
  const isCommitted = async () => (await direct.listOrganizations(...ALL)).some(each => each.id === id);
  await until('it is committed', isCommitted);
  await proxy.close();
  const error = await refused;
  assert.ok(error instanceof Refused);
  assert.match(error.message, /^database: [^\n]*check whether it was done before you run it again$/);
});
