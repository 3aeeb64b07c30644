import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminKey, newRotation } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import type { Duration } from '../../../src/shared/record/duration.ts';
import type { ApiKeyId, OrganizationId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import { modelPage } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createAdminKey, createOrganization, importKeys, now, VENDOR } from '../../support/roster.ts';
import { idsOf, numberedKeys } from '../../support/seeded-service.ts';
import { startService, type TestService } from '../../support/service.ts';
import { pagesOf } from '../../support/walk.ts';

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
  const walked = async (direction: 'after' | 'before', start: ApiKeyId | null, admin = secret) => {
    const ids: ApiKeyId[] = [];
    const walk = { direction, start, filter: {}, limit: 3 };
    for await (const { data } of pagesOf(query => service.list(admin, query), walk)) {
      const page = idsOf(data) as ApiKeyId[];
      ids.push(...(direction === 'after' ? page : page.toReversed()));
    }
    return ids;
  };

  test('lists the pages of the model, and walks exactly the keys of its workspace in both directions', async () => {
    for (const limit of [1, 3, inside.length, 1000])
      for (const cursor of [null, ...inside.map(id => ({ direction: 'after', id }) as const)]) {
        const { body } = await list(`limit=${limit}${cursor ? `&after_id=${cursor.id}` : ''}`);
        assert.deepEqual(body, modelPage(KEYS, { limit, cursor, filter: {}, scope }));
      }
    assert.deepEqual(await walked('after', null), inside);
    assert.deepEqual(await walked('before', inside.at(-1) as ApiKeyId), inside.slice(0, -1).toReversed());
    assert.deepEqual(await walked('after', null, whole), idsOf(KEYS)); // a page of one is never another's
    assert.deepEqual(await walked('after', null), inside);
  });

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

  test('gives its workspace to the key that it is rotated to, and keeps it', async () => {
    const [old] = (await open.writer.listAdminKeys(organization, ...ALL)).filter(key => key.scope !== null);
    const next = AdminKeySecret.issue(VENDOR);
    const { id } = old as AdminKey;
    await open.writer.rotateAdminKey(id, newRotation(next, now()), 86_400_000_000n as Duration);
    for (const key of [secret, next.reveal()]) assert.deepEqual(await walked('after', null, key), inside);
  });
});
