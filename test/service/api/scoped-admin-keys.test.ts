import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminKey, newRotation } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import type { Duration } from '../../../src/shared/record/duration.ts';
import type { OrganizationId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createAdminKey, createOrganization, importKeys, now, VENDOR } from '../../support/roster.ts';
import { idsOf, numberedKeys } from '../../support/seeded-service.ts';
import { startService, type TestService } from '../../support/service.ts';

/** Six days a workspace of each, newest first; each fifth is in the default workspace. */
const KEYS = numberedKeys(60);
const scope = { workspaceId: 'wrkspc_1' as WorkspaceId };
const inside = KEYS.filter(({ workspaceId }) => workspaceId === scope.workspaceId).map(({ id }) => id);

describeEachStore('an admin key for one workspace', open => {
  let service: TestService;
  let organization: OrganizationId;
  let secret: string;
  let whole: string;
  before(async () => {
    service = await startService(open.reader);
    ({ id: organization, secret: whole } = await createOrganization(open.writer));
    await importKeys(open.writer, organization, KEYS);
    secret = await createAdminKey(open.writer, organization, { scope });
  });
  after(() => service.close());
  const list = (query?: string) => service.list(secret, query);

  test('gets an empty page for a filter beyond, and the header and the log say its scope', async () => {
    const empty = { data: [], first_id: null, last_id: null, has_more: false };
    for (const workspace of ['wrkspc_2', 'wrkspc_unknown'])
      assert.deepEqual((await list(`workspace_id=${workspace}`)).body, empty);
    const { body, headers } = await list('workspace_id=wrkspc_1&limit=1000');
    assert.deepEqual(idsOf(body.data), inside);
    assert.equal(headers.get('vendor-scope'), 'workspace_id=wrkspc_1');
    assert.equal((await service.list(whole)).headers.get('vendor-scope'), null);
    assert.match(service.logText(), /"scope":"workspace_id=wrkspc_1"/);
  });

  test('lists the keys of its workspace alone, as does the key that it is rotated to', async () => {
    const [old] = (await open.writer.listAdminKeys(organization, ...ALL)).filter(key => key.scope !== null);
    const next = AdminKeySecret.issue(VENDOR);
    const { id } = old as AdminKey;
    await open.writer.rotateAdminKey(id, newRotation(next, now()), 86_400_000_000n as Duration);
    for (const key of [secret, next.reveal()])
      assert.deepEqual(idsOf((await service.list(key, 'limit=1000')).body.data), inside);
    assert.deepEqual(idsOf((await service.list(whole, 'limit=1000')).body.data), idsOf(KEYS));
  });
});
