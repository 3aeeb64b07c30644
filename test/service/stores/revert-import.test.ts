import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import type { ImportEntry } from '../../../src/service/roster/imports.ts';
import type { ImportId, OrganizationId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf as recordsIn } from '../../support/opened.ts';
import { createOrganization, importKeys, importLines } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';

const keys = firstKeys(4) as [ApiKey, ApiKey, ApiKey, ApiKey];
const [first, second, third] = keys;

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

  test('deletes what the import inserted and restores what it updated, archived keys too', async () => {
    const organization = await created();
    await importKeys(open.writer, organization, [first, second]);
    const before = await recordsOf(organization);
    const changed: ApiKey[] = [
      { ...first, name: 'New', status: 'archived', workspaceId: 'wrkspc_new' as WorkspaceId },
      { ...second, workspaceId: null },
      { ...third, status: 'archived' },
    ];
    const id = await importOf(organization, changed);
    const organizations = [{ organizationId: organization, deleted: 1, restored: 2, skipped: 0 }];
    const after = await recordsOf(organization);
    assert.deepEqual(await open.writer.revertImport(id, { dryRun: true }), organizations);
    assert.deepEqual(await recordsOf(organization), after);
    assert.deepEqual(await open.writer.revertImport(id, {}), organizations);
    assert.deepEqual(await recordsOf(organization), before);
    const filter = { workspaceId: 'wrkspc_new' as WorkspaceId };
    const page = await open.writer.listApiKeys(organization, { limit: 10, cursor: null, filter });
    assert.deepEqual(page?.items, []);
    await assert.rejects(open.writer.revertImport(id, {}), /the import was reverted at 20/);
    assert.deepEqual(await importOf(organization, changed).then(() => recordsOf(organization)), after);
  });

  test('is refused when something else changed keys: an import, a put or a new status', async () => {
    const organization = await created();
    const id = await importOf(organization, keys);
    await importOf(organization, [{ ...first, name: 'Later' }]);
    await open.writer.putApiKeys(organization, [{ ...second, name: 'Put' }]);
    await open.writer.setStatus(organization, [third.id], 'inactive');
    const before = await recordsOf(organization);
    const message = /^nothing was reverted: something else changed 3 of the import's API keys since; /;
    for (const options of [{}, { dryRun: true }])
      await assert.rejects(open.writer.revertImport(id, options), { name: 'Refused', message });
    assert.deepEqual(await recordsOf(organization), before);
    const unknown = open.writer.revertImport('import_unknown' as ImportId, {});
    await assert.rejects(unknown, /no import with this ID/);
  });

  test('leaves the keys that something else changed, if asked to', async () => {
    const organization = await created();
    await importKeys(open.writer, organization, [first]);
    const id = await importOf(organization, [{ ...first, name: 'Imported' }, second, third]);
    await importOf(organization, [{ ...second, name: 'Later' }]);
    await open.writer.setStatus(organization, [third.id], 'archived');
    const expected = [{ organizationId: organization, deleted: 0, restored: 1, skipped: 2 }];
    assert.deepEqual(await open.writer.revertImport(id, { skipChanged: true }), expected);
    const left = [first, { ...second, name: 'Later' }, { ...third, status: 'archived' as const }];
    assert.deepEqual(await recordsOf(organization), left.map(renderApiKey).sort());
  });

  test('takes back what the import wrote in each of its organizations, and nothing that another one found of an ID', async () => {
    const organizations = [await created(), await created()];
    for (const organization of organizations) await open.writer.putApiKeys(organization, [first]);
    const elsewhere = await created();
    await open.writer.putApiKeys(elsewhere, [first]);
    const before = await Promise.all(organizations.map(recordsOf));
    const importId = await importTo(organizations, [{ ...first, name: 'Imported' }, second]);
    await open.writer.revertImport(await importOf(elsewhere, [second]), {});
    const reverted = await open.writer.revertImport(importId, {});
    const counts = { deleted: 1, restored: 1, skipped: 0 };
    const expected = organizations.map(organizationId => ({ organizationId, ...counts }));
    assert.deepEqual(new Set(reverted), new Set(expected));
    assert.deepEqual(await Promise.all(organizations.map(recordsOf)), before);
  });

  test('is refused when keys have its number that it did not write, whatever became of its own', async () => {
    const organization = await created();
    await importKeys(open.writer, organization, [first]);
    const id = await importOf(organization, [second, third]);
    const [schema, of] =
      kind.name === 'SQLite'
        ? ['', `organization = (SELECT number FROM organizations WHERE id = '${organization}')`]
        : ['keyroster.', `organization_id = '${organization}'`];
    await runSql(
      open.store.url,
      `UPDATE ${schema}api_keys SET import = (SELECT number FROM ${schema}imports WHERE id = '${id}' AND ${of})
       WHERE ${of} AND id = '${first.id}'`,
    );
    const before = await recordsOf(organization);
    const message = `nothing was reverted: 1 keys of ${organization} have this import's number and weren't written by it`;
    const refused = async () => {
      for (const options of [{}, { dryRun: true }, { skipChanged: true }])
        await assert.rejects(open.writer.revertImport(id, options), { name: 'Refused', message });
    };
    await refused();
    assert.deepEqual(await recordsOf(organization), before);
    await open.writer.setStatus(organization, [third.id], 'archived');
    await refused();
  });

  // Who may write SQLite's file may do anything.
  if (kind.name !== 'SQLite')
    test('is refused when the import is said to be of another organization, or to have written more, than it did', async () => {
      const [organization, other] = [await created(), await created()];
      const [id, larger] = [await importOf(organization, [first]), await importOf(organization, [second])];
      await importKeys(open.writer, other, [first]);
      await runSql(
        open.store.url,
        `INSERT INTO keyroster.imports (organization_id, number, id, actor, inserted, updated, unchanged)
           SELECT '${other}', number, id, actor, 1, 0, 0 FROM keyroster.imports WHERE id = '${id}'`,
      );
      await runSql(
        open.store.url,
        `UPDATE keyroster.api_keys SET import = (SELECT min(number) FROM keyroster.imports WHERE id = '${id}')
         WHERE organization_id = '${other}'`,
      );
      await runSql(open.store.url, `UPDATE keyroster.imports SET inserted = 2 WHERE id = '${larger}'`);
      for (const [of, named] of [
        [id, other],
        [larger, organization],
      ] as const)
        for (const options of [{}, { dryRun: true }, { skipChanged: true }])
          await assert.rejects(open.writer.revertImport(of, options), {
            name: 'Refused',
            message: `nothing was reverted: what the store has of this import to ${named} isn't what the audit log has`,
          });
      assert.equal((await recordsOf(other)).length, 1);
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

  test('gives back what each of several imports found, whatever is reverted first', async () => {
    for (const laterFirst of [true, false]) {
      const organization = await created();
      await importKeys(open.writer, organization, [first]);
      const before = await recordsOf(organization);
      const older = await importOf(organization, [{ ...first, name: 'One' }, second]);
      const between = await recordsOf(organization);
      const later = await importOf(organization, [{ ...first, name: 'Two' }, second, third]);
      if (laterFirst) {
        await open.writer.revertImport(later, {});
        assert.deepEqual(await recordsOf(organization), between);
        await open.writer.revertImport(older, {});
        assert.deepEqual(await recordsOf(organization), before);
      } else {
        await open.writer.revertImport(older, { skipChanged: true });
        await open.writer.revertImport(later, {});
        assert.deepEqual(await recordsOf(organization), [{ ...first, name: 'One' }].map(renderApiKey));
      }
    }
  });
});
