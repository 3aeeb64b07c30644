import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAdminKey } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { type CreationPosition, START } from '../../../src/service/roster/walks.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import { type AdminKeyId, newId, type OrganizationId } from '../../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createOrganization, now, VENDOR } from '../../support/roster.ts';

const digestOf = (secret: string) => (AdminKeySecret.parse(secret) as AdminKeySecret).digest();
const unknown = 'org_unknown' as OrganizationId;

describeEachStore('organizations and admin keys', open => {
  test('an organization is listed exactly as it was created, to the microsecond', async () => {
    const organization = {
      id: newId<OrganizationId>('org'),
      name: 'Ünïted 検索',
      createdAt: 1_730_332_707_427_722n as Timestamp,
    };
    await open.writer.createOrganization(organization);
    const listed = (await open.writer.listOrganizations(...ALL)).find(({ id }) => id === organization.id);
    assert.deepEqual({ ...listed }, { ...organization, disabledAt: null, deletedAt: null });
  });

  test('an admin key is found by the digest of its secret, and by no other digest', async () => {
    const { id, secret } = await createOrganization(open.writer, {
      expiresAt: 1_900_000_000_000_001n as Timestamp,
    });
    const key = await open.reader.findAdminKey(digestOf(secret), now());
    assert.equal(key?.organizationId, id);
    assert.equal(key?.expiresAt, 1_900_000_000_000_001n);
    assert.deepEqual(Buffer.from(key?.digest ?? []), Buffer.from(digestOf(secret)));
    assert.equal(await open.reader.findAdminKey(new Uint8Array(32), now()), null);
  });

  test('an admin key is found until it expires, to the microsecond', async () => {
    const expiresAt = 1_900_000_000_000_001n as Timestamp;
    const { secret } = await createOrganization(open.writer, { expiresAt });
    const before = (expiresAt - 1n) as Timestamp;
    // A key is cached when it is read a second time.
    for (const _ of [1, 2, 3]) assert.ok(await open.reader.findAdminKey(digestOf(secret), before));
    assert.equal(await open.reader.findAdminKey(digestOf(secret), expiresAt), null);
  });

  test('the reader stops finding a revoked admin key at once, and revoking it again keeps the first time', async () => {
    const { id, secret } = await createOrganization(open.writer);
    const find = () => open.reader.findAdminKey(digestOf(secret), now());
    await find();
    await find(); // a key is cached when it is read a second time
    const key = await find();
    const revokedAt = now();
    await open.writer.revokeAdminKey(key?.id as AdminKeyId, revokedAt);
    await open.writer.revokeAdminKey(key?.id as AdminKeyId, (revokedAt + 5n) as Timestamp);
    assert.equal(await open.reader.findAdminKey(digestOf(secret), now()), null);
    const listed = await open.writer.listAdminKeys(id, ...ALL);
    assert.deepEqual(
      listed.map(key => key.revokedAt),
      [revokedAt],
    );
  });

  test('organizations and admin keys are listed in pages of any size, by creation and then by ID as bytes', async () => {
    const createdAt = now();
    const ids = ['org_b', 'org_B', 'org_a', 'org_-', 'org_z'].map(
      id => `${id}_${createdAt}` as OrganizationId,
    );
    for (const id of ids) {
      const later = id.startsWith('org_z') ? -1n : 0n;
      await open.writer.createOrganization({ id, name: 'Test', createdAt: (createdAt + later) as Timestamp });
      const key = newAdminKey(AdminKeySecret.issue(VENDOR), {
        organizationId: id,
        scope: null,
        name: 'test',
        createdAt,
      });
      await open.writer.createAdminKey(key);
    }
    const organizations = await open.writer.listOrganizations(...ALL);
    const order = ['org_z', 'org_-', 'org_B', 'org_a', 'org_b'].map(id => `${id}_${createdAt}`);
    assert.deepEqual(
      organizations.map(({ id }) => id).filter(id => order.includes(id)),
      order,
    );
    const adminKeys = await open.writer.listAdminKeys(null, ...ALL);
    for (const limit of [1, 2, 3]) {
      assert.deepEqual(
        await pagesOf((after: CreationPosition) => open.writer.listOrganizations(after, limit)),
        organizations,
      );
      assert.deepEqual(
        await pagesOf((after: CreationPosition) => open.writer.listAdminKeys(null, after, limit)),
        adminKeys,
      );
    }
  });

  test('an unknown organization or admin key is refused', async () => {
    await assert.rejects(open.writer.listAdminKeys(unknown, ...ALL), Refused);
    await assert.rejects(open.writer.revokeAdminKey('adminkey_unknown' as AdminKeyId, now()), Refused);
  });
});

async function pagesOf<Row extends CreationPosition>(
  list: (after: CreationPosition) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = await list(START); page.length > 0; page = await list(page.at(-1) as Row))
    rows.push(...page);
  return rows;
}
