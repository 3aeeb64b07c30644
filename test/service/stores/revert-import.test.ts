import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import { walkRoster } from '../../../src/service/roster/walks.ts';
import type { ImportEntry } from '../../../src/service/roster/writes/imports.ts';
import type { ImportId, OrganizationId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf as recordsIn } from '../../support/opened.ts';
import { createOrganization, importKeys, importLines } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';

const keys = firstKeys(4) as [ApiKey, ApiKey, ApiKey, ApiKey];
const [first, second, third, fourth] = keys;

describeEachStore('reverting an import', (open, kind) => {
  const recordsOf = async (organization: OrganizationId) =>
    (await recordsIn(open.writer, organization)).sort();
  const created = async () => (await createOrganization(open.writer)).id;
  const importTo = async (organizations: readonly OrganizationId[], all: readonly ApiKey[]) => {
    const lines = organizations.flatMap(organizationId => all.map(key => ({ organizationId, key })));
    const numbered = lines.map((each, index) => ({ ...each, line: index + 1 }));
    return (await importLines(open.writer, numbered)).importId as ImportId;
  };
  const importOf = (organization: OrganizationId, all: readonly ApiKey[]) => importTo([organization], all);

  test('10,000 keys that a wrong file archived are what they were, with what was written to them since', async () => {
    const organization = await created();
    const roster = firstKeys(10_000).map((key, index): ApiKey => {
      const status = index % 2 === 0 ? 'active' : 'inactive';
      return { ...key, status, name: `"status":"archived" \\ \u0001 é 🔑 ${index}` };
    });
    await importKeys(open.writer, organization, roster);
    const wrong = [...roster, ...firstKeys(10_010).slice(-10)];
    const archived = wrong.map((key): ApiKey => ({ ...key, status: 'archived' }));
    const id = await importOf(organization, archived);
    const renamed = archived.slice(0, 100).map(key => ({ ...key, name: 'Since' }));
    await open.writer.putApiKeys(organization, renamed);
    const counts = { deleted: 10, statuses: 10_000, skipped: 0 };
    assert.deepEqual(await open.writer.revertImport(id, {}), [{ organizationId: organization, ...counts }]);
    const found = new Set<string>();
    for await (const items of walkRoster(open.writer, organization))
      for (const { record } of items) found.add(record);
    const expected = roster.map((key, index) => (index < 100 ? { ...key, name: 'Since' } : key));
    const missing = expected.map(renderApiKey).filter(record => !found.has(record));
    assert.deepEqual([found.size, missing.slice(0, 3)], [10_000, []]);
    const [key] = roster as [ApiKey];
    await open.writer.setStatus(organization, [key.id], 'archived');
    await assert.rejects(open.writer.setStatus(organization, [key.id], 'active'), /archived is final/);
  });

  test('deletes what the import inserted and puts back the statuses that it changed, and no other field', async () => {
    const organization = await created();
    await importKeys(open.writer, organization, [first, second]);
    const changed: ApiKey[] = [
      { ...first, name: 'New', status: 'inactive', workspaceId: 'wrkspc_new' as WorkspaceId },
      { ...second, workspaceId: null },
      { ...third, status: 'archived' },
    ];
    const id = await importOf(organization, changed);
    const organizations = [{ organizationId: organization, deleted: 1, statuses: 1, skipped: 0 }];
    const after = await recordsOf(organization);
    assert.deepEqual(await open.writer.revertImport(id, { dryRun: true }), organizations);
    assert.deepEqual(await recordsOf(organization), after);
    assert.deepEqual(await open.writer.revertImport(id, {}), organizations);
    const [imported, renamed] = changed as [ApiKey, ApiKey];
    const left = [{ ...imported, status: first.status }, renamed].map(renderApiKey).sort();
    assert.deepEqual(await recordsOf(organization), left);
    const filter = { status: first.status, workspaceId: 'wrkspc_new' as WorkspaceId };
    const page = await open.writer.listApiKeys(organization, { limit: 10, cursor: null, filter });
    assert.equal(page?.items.length, 1);
    await assert.rejects(open.writer.revertImport(id, {}), /the import was reverted at 20/);
    assert.deepEqual(await importOf(organization, changed).then(() => recordsOf(organization)), after);
  });

  test('with an export made before, which is imported then, brings every field back', async () => {
    const organization = await created();
    await importKeys(open.writer, organization, [first, second]);
    const before = await recordsOf(organization);
    const wrong = [first, second, third].map(
      (key): ApiKey => ({ ...key, name: 'Wrong', status: 'archived', workspaceId: null }),
    );
    await open.writer.revertImport(await importOf(organization, wrong), {});
    await importKeys(open.writer, organization, [first, second]);
    assert.deepEqual(await recordsOf(organization), before);
  });

  test('is refused where something else changed a key that it inserted or a status, and leaves these if asked to', async () => {
    const organization = await created();
    const switched = { ...fourth, status: 'inactive' as const };
    await importKeys(open.writer, organization, [fourth]);
    const id = await importOf(organization, [first, second, third, switched]);
    await importOf(organization, [{ ...first, name: 'Later' }]);
    await open.writer.putApiKeys(organization, [{ ...second, name: 'Put' }]);
    await open.writer.setStatus(organization, [fourth.id], 'active');
    const before = await recordsOf(organization);
    const message = /^nothing was reverted: something else changed 3 of the import's API keys since; /;
    for (const options of [{}, { dryRun: true }])
      await assert.rejects(open.writer.revertImport(id, options), { name: 'Refused', message });
    assert.deepEqual(await recordsOf(organization), before);
    const expected = [{ organizationId: organization, deleted: 1, statuses: 0, skipped: 3 }];
    assert.deepEqual(await open.writer.revertImport(id, { skipChanged: true }), expected);
    const left = [{ ...first, name: 'Later' }, { ...second, name: 'Put' }, fourth];
    assert.deepEqual(await recordsOf(organization), left.map(renderApiKey).sort());
    const unknown = open.writer.revertImport('import_unknown' as ImportId, {});
    await assert.rejects(unknown, /no import with this ID/);
  });

  test('takes back what the import wrote in each of its organizations, and nothing that another one found of an ID', async () => {
    const organizations = [await created(), await created()];
    const elsewhere = await created();
    for (const organization of [...organizations, elsewhere])
      await open.writer.putApiKeys(organization, [first]);
    const before = await Promise.all(organizations.map(recordsOf));
    const imported = [{ ...first, status: 'inactive' as const }, second];
    const importId = await importTo(organizations, imported);
    await open.writer.revertImport(await importOf(elsewhere, imported), {});
    const reverted = await open.writer.revertImport(importId, {});
    const counts = { deleted: 1, statuses: 1, skipped: 0 };
    const expected = organizations.map(organizationId => ({ organizationId, ...counts }));
    assert.deepEqual(new Set(reverted), new Set(expected));
    assert.deepEqual(await Promise.all(organizations.map(recordsOf)), before);
  });

  test('of several imports gives back the status that each found, the latest first', async () => {
    const organization = await created();
    await importKeys(open.writer, organization, [first]);
    const older = await importOf(organization, [{ ...first, status: 'inactive' }]);
    const later = await importOf(organization, [{ ...first, status: 'archived' }]);
    const statuses = [];
    await assert.rejects(open.writer.revertImport(older, {}), /something else changed 1 of/);
    for (const id of [later, older]) {
      await open.writer.revertImport(id, {});
      statuses.push(...(await recordsOf(organization)).map(record => JSON.parse(record).status));
    }
    assert.deepEqual(statuses, ['inactive', 'active']);
  });

  // Who may write SQLite's file may do anything.
  if (kind.name !== 'SQLite')
    test('deletes no key that the import did not insert, whatever SQL has written', async () => {
      const [organization, other] = [await created(), await created()];
      const id = await importOf(organization, [first]);
      for (const each of [organization, other]) await importKeys(open.writer, each, [second, third]);
      await open.writer.putApiKeys(other, [fourth]);
      const number = `(SELECT max(import) FROM keyroster.api_keys WHERE organization_id = '${organization}' AND id = '${first.id}')`;
      for (const statement of [
        `UPDATE keyroster.api_keys SET import = ${number} WHERE id <> '${first.id}'`,
        `INSERT INTO keyroster.imports (organization_id, id, actor, inserted, updated, unchanged)
           SELECT '${other}', id, actor, 3, 0, 0 FROM keyroster.imports WHERE id = '${id}'`,
      ])
        await runSql(open.store.url, statement);
      const counts = { deleted: 1, statuses: 0, skipped: 0 };
      const none = { organizationId: other, ...counts, deleted: 0 };
      const reverted = await open.writer.revertImport(id, {});
      assert.deepEqual(new Set(reverted), new Set([{ organizationId: organization, ...counts }, none]));
      assert.deepEqual(await recordsOf(organization), [second, third].map(renderApiKey).sort());
      assert.equal((await recordsOf(other)).length, 3);
    });

  test('imports are listed oldest first, by their organizations', async () => {
    const [one, other] = [await created(), await created()];
    const importId = await importTo([one, other], [first, second]);
    const again = await importOf(one, [first, { ...second, name: 'Renamed' }]);
    await open.writer.revertImport(again, {});
    const listed = async (organization: OrganizationId | null) => {
      const all = await open.writer.listImports(organization, null, 1000);
      const [before, last] = all.slice(-2);
      assert.deepEqual(await open.writer.listImports(organization, before as ImportEntry, 1), [last]);
      return all.slice(-3).map(each => {
        assert.equal(each.revertedAt !== null, each.id === again);
        return [each.id, each.organizationId, each.inserted, each.updated, each.unchanged];
      });
    };
    const [ofOne, ofOther] = [one, other].map(id => [importId, id, 2, 0, 0]);
    const last = [again, one, 0, 1, 1];
    const [three, two] = [await listed(null), await listed(one)];
    assert.deepEqual([new Set(three.slice(0, 2)), three[2]], [new Set([ofOne, ofOther]), last]);
    assert.deepEqual(two, [ofOne, last]);
    assert.deepEqual(await open.writer.listImports(other, null, 9).then(all => all.map(({ id }) => id)), [
      importId,
    ]);
  });
});
