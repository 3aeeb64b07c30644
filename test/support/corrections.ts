import assert from 'node:assert/strict';
import { newAdminKey } from '../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../src/service/roster/admin-key-secret.ts';
import { deleteOrganization } from '../../src/service/roster/organization.ts';
import type { AdminKeyReader, RosterWriter } from '../../src/service/roster/roster.ts';
import { newId, type OrganizationId } from '../../src/shared/record/identifier.ts';
import { firstKeys } from './changing-roster.ts';
import { createOrganization, importLines, now, VENDOR } from './roster.ts';

/** An issuer's and an operator's part in what is in bulk, and in what is taken back, each by its role of PostgreSQL. */
export async function correctByRoles(
  issuer: RosterWriter,
  operator: RosterWriter,
  reader: AdminKeyReader,
): Promise<void> {
  const [one, other] = [await createOrganization(operator), await createOrganization(operator)];
  const lines = [one, other].flatMap(({ id }, organization) =>
    firstKeys(5).map((key, index) => ({ line: organization * 5 + index + 1, organizationId: id, key })),
  );
  assert.equal((await importLines(issuer, lines)).inserted, 10);
  const changed = lines.map(line => ({ ...line, key: { ...line.key, name: 'Changed' } }));
  const { importId, updated } = await importLines(issuer, changed);
  assert.ok(importId);
  assert.equal(updated, 10);
  const [outcome] = await issuer.feedApiKeys([{ organizationId: one.id, key: firstKeys(6).at(-1) as never }]);
  assert.deepEqual(outcome, { result: 'inserted' });

  assert.equal((await issuer.revertImport(importId, { dryRun: true })).length, 2);
  const refused = { name: 'Refused', message: /may not delete: take keyroster_operator/ };
  await assert.rejects(issuer.revertImport(importId, {}), refused);
  await assert.rejects(issuer.deleteNext(one.id, now(), null), refused);
  for (const act of [
    () => issuer.disableOrganization(one.id, now()),
    () => issuer.importOrganizations(organizationLine(), { dryRun: false }),
  ])
    await assert.rejects(act(), /the role may not do this/);

  assert.equal((await operator.revertImport(importId, {})).length, 2);
  assert.equal((await operator.listImports(one.id, null, 10)).length, 2);
  const digest = (AdminKeySecret.parse(one.secret) as AdminKeySecret).digest();
  assert.ok(await reader.findAdminKey(digest, now()));
  await operator.disableOrganization(one.id, now());
  assert.equal(await reader.findAdminKey(digest, now()), null);
  await operator.enableOrganization(one.id);
  assert.ok(await reader.findAdminKey(digest, now()));

  const [line] = organizationLine();
  assert.ok(line);
  assert.equal((await operator.importOrganizations([line], { dryRun: false })).created.length, 1);
  const renamed = { ...line, organization: { ...line.organization, name: 'Renamed' } };
  assert.equal((await operator.importOrganizations([renamed], { dryRun: false })).renamed.length, 1);
  const adminKey = {
    organizationId: one.id,
    scope: null,
    name: 'of a file',
    expiresAt: null,
    networks: null,
  };
  const issue = () => [newAdminKey(AdminKeySecret.issue(VENDOR), { ...adminKey, createdAt: now() })];
  assert.equal((await operator.createAdminKeys([{ line: 1, adminKey }], issue)).created.length, 1);

  await deleteOrganization(operator, one.id, now(), () => {});
  await assert.rejects(operator.findOrganization(one.id), /no organization with this ID/);
  assert.equal(await reader.findAdminKey(digest, now()), null);
}

function organizationLine() {
  const id = newId<OrganizationId>('org');
  return [{ line: 1, organization: { id, name: 'Of a file', createdAt: null } }];
}
