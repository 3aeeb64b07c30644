import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ApiKey, isAllowedTransition, STATUSES, type Status } from '../../src/roster/api-key.ts';
import { renderApiKey } from '../../src/roster/api-key-record.ts';
import { Refused } from '../../src/roster/errors.ts';
import type { ApiKeyId, ImportId, OrganizationId, WorkspaceId } from '../../src/roster/identifier.ts';
import { type ListedImport, type RevertResult, walkImports } from '../../src/roster/imports.ts';
import type { ImportLine, RosterWriter } from '../../src/roster/roster.ts';
import { firstKeys } from '../support/changing-roster.ts';
import { describeEachStore } from '../support/each-store.ts';
import { createOrganization, importKeys, importLines } from '../support/roster.ts';
import { rounds } from '../support/rounds.ts';
import { runSql } from '../support/run-sql.ts';

const keys = firstKeys(4);
const ORGANIZATIONS = 2;

describeEachStore('reverting an import', (open, kind) => {
  const recordsOf = async (organization: OrganizationId) => {
    const page = await open.writer.listApiKeys(organization, { limit: 1000, cursor: null, filter: {} });
    return page?.items.map(({ record }) => record).sort() ?? [];
  };
  const created = async () => (await createOrganization(open.writer)).id;
  const importOf = async (organizationId: OrganizationId, all: readonly ApiKey[]) =>
    (
      await importLines(
        open.writer,
        all.map((key, index) => ({ line: index + 1, organizationId, key })),
      )
    ).importId as ImportId;
  const [first, second, third] = keys as [ApiKey, ApiKey, ApiKey, ApiKey];

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
    const expected = { organizations, changed: [] };
    const after = await recordsOf(organization);
    assert.deepEqual(await open.writer.revertImport(id, { dryRun: true }), expected);
    assert.deepEqual(await recordsOf(organization), after);
    assert.deepEqual(await open.writer.revertImport(id, {}), expected);
    assert.deepEqual(await recordsOf(organization), before);
    const filter = { workspaceId: 'wrkspc_new' as WorkspaceId };
    const page = await open.writer.listApiKeys(organization, { limit: 10, cursor: null, filter });
    assert.deepEqual(page?.items, []);
    await assert.rejects(open.writer.revertImport(id, {}), /the import was reverted at 20/);
    assert.deepEqual(await importOf(organization, changed).then(() => recordsOf(organization)), after);
  });

  test('is refused when something else changed a key, which is named with the import that did', async () => {
    const organization = await created();
    const id = await importOf(organization, keys);
    const later = await importOf(organization, [{ ...first, name: 'Later' }]);
    await open.writer.putApiKeys(organization, [{ ...second, name: 'Put' }]);
    await open.writer.setStatus(organization, [third.id], 'inactive');
    const before = await recordsOf(organization);
    const why = 'changed since by';
    await assert.rejects(open.writer.revertImport(id, {}), (error: Refused) => {
      assert.ok(error instanceof Refused);
      assert.match(error.message, /^nothing was reverted: something else changed 3 of the import's API keys/);
      assert.deepEqual(
        error.faults.map(({ id, problem }) => [id, problem]),
        [
          [first.id, `${why} ${later}`],
          [second.id, `${why} something that is no import`],
          [third.id, `${why} something that is no import`],
        ],
      );
      return true;
    });
    assert.deepEqual(await recordsOf(organization), before);
    await assert.rejects(
      open.writer.revertImport('import_unknown' as ImportId, {}),
      /no import with this ID/,
    );
  });

  test('leaves the keys that something else changed, if asked to, and names them', async () => {
    const organization = await created();
    await importKeys(open.writer, organization, [first]);
    const id = await importOf(organization, [{ ...first, name: 'Imported' }, second, third]);
    const later = await importOf(organization, [{ ...second, name: 'Later' }]);
    await open.writer.setStatus(organization, [third.id], 'archived');
    const expected = {
      organizations: [{ organizationId: organization, deleted: 0, restored: 1, skipped: 2 }],
      changed: [
        { organizationId: organization, id: second.id, by: later },
        { organizationId: organization, id: third.id, by: null },
      ],
    };
    assert.deepEqual(await open.writer.revertImport(id, { skipChanged: true }), expected);
    const left = [first, { ...second, name: 'Later' }, { ...third, status: 'archived' as const }];
    assert.deepEqual(await recordsOf(organization), left.map(renderApiKey).sort());
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

  test('imports are listed oldest first, with the sums of their organizations or one of these', async () => {
    const [one, other] = [await created(), await created()];
    const lines = [one, other, one].map((organizationId, index) => ({
      line: index + 1,
      organizationId,
      key: keys[index],
    })) as ImportLine[];
    const { importId } = await importLines(open.writer, lines);
    const again = await importOf(one, [first, { ...third, name: 'Renamed' }]);
    await open.writer.revertImport(again, {});
    const listed = async (organization: OrganizationId | null) => {
      const all: ListedImport[] = [];
      for await (const page of walkImports(open.writer, organization)) all.push(...page);
      return all.slice(-2).map(each => {
        assert.equal(each.revertedAt !== null, each.id === again);
        return [each.id, each.organizations, each.inserted, each.updated, each.unchanged];
      });
    };
    assert.deepEqual(await listed(null), [
      [importId, 2, 3, 0, 0],
      [again, one, 0, 1, 1],
    ]);
    assert.deepEqual(await listed(one), [
      [importId, one, 2, 0, 0],
      [again, one, 0, 1, 1],
    ]);
    assert.deepEqual(await listed(other).then(all => all.at(-1)), [importId, other, 1, 0, 0]);
  });

  test('imports, puts, changes of status and reverts in any order leave what a model says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async steps => {
        const organizations = [await created(), await created()];
        const model = new Model();
        const imports: ImportId[] = [];
        for (const each of steps) await run(each, { writer: open.writer, organizations, model, imports });
        for (const [index, organization] of organizations.entries())
          assert.deepEqual(await recordsOf(organization), model.records(index));
      }),
      { numRuns: rounds(12) },
    );
  });
});

interface Change {
  readonly organization: number;
  readonly key: number;
  readonly name: string;
  readonly status: Status;
}

type Step =
  | { readonly act: 'import'; readonly changes: readonly Change[] }
  | { readonly act: 'put' | 'set status'; readonly change: Change }
  | { readonly act: 'revert'; readonly of: number; readonly skipChanged: boolean };

const change: fc.Arbitrary<Change> = fc.record({
  organization: fc.nat(ORGANIZATIONS - 1),
  key: fc.nat(keys.length - 1),
  name: fc.constantFrom('one', 'two'),
  status: fc.constantFrom(...STATUSES),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    act: fc.constant('import' as const),
    changes: fc.uniqueArray(change, { minLength: 1, selector: each => `${each.organization} ${each.key}` }),
  }),
  fc.record({ act: fc.constantFrom('put' as const, 'set status' as const), change }),
  fc.record({ act: fc.constant('revert' as const), of: fc.nat(5), skipChanged: fc.boolean() }),
);

/** A key as it is, and the one that it was before the last change that isn't reverted. */
interface Version {
  readonly key: ApiKey;
  /** The place of the import in the order of all; `null`: something else. */
  readonly by: number | null;
  readonly before: Version | undefined;
}

class Model {
  readonly #keys = Array.from({ length: ORGANIZATIONS }, () => new Map<ApiKeyId, Version>());
  readonly #touched: { organization: number; id: ApiKeyId }[][] = [];
  readonly #reverted = new Set<number>();

  records(organization: number): string[] {
    return [...(this.#keys[organization]?.values() ?? [])].map(({ key }) => renderApiKey(key)).sort();
  }

  get(organization: number, id: ApiKeyId): ApiKey | undefined {
    return this.#keys[organization]?.get(id)?.key;
  }

  /** Returns whether it is allowed. */
  write(organization: number, key: ApiKey, by: number | null): boolean {
    const before = this.#keys[organization]?.get(key.id);
    if (before && !isAllowedTransition(before.key.status, key.status)) return false;
    if (before && renderApiKey(before.key) === renderApiKey(key)) return true;
    this.#keys[organization]?.set(key.id, { key, by, before });
    if (by !== null) this.#touched[by]?.push({ organization, id: key.id });
    return true;
  }

  beginImport(): number {
    return this.#touched.push([]) - 1;
  }

  /** Returns how many keys are skipped; `null`: it isn't allowed. */
  revert(number: number, skipChanged: boolean): number | null {
    const touched = this.#touched[number] ?? [];
    const asWritten = touched.filter(
      ({ organization, id }) => this.#keys[organization]?.get(id)?.by === number,
    );
    const skipped = touched.length - asWritten.length;
    if ((skipped > 0 && !skipChanged) || this.#reverted.has(number)) return null;
    this.#reverted.add(number);
    for (const { organization, id } of asWritten) {
      const before = this.#keys[organization]?.get(id)?.before;
      if (before) this.#keys[organization]?.set(id, before);
      else this.#keys[organization]?.delete(id);
    }
    return skipped;
  }
}

async function skippedBy(revert: Promise<RevertResult>): Promise<number | null> {
  try {
    const { organizations, changed } = await revert;
    const skipped = organizations.reduce((sum, each) => sum + each.skipped, 0);
    assert.equal(changed.length, skipped); // there are fewer keys than are named
    return skipped;
  } catch (error) {
    assert.ok(error instanceof Refused, String(error));
    return null;
  }
}

interface Running {
  readonly writer: RosterWriter;
  readonly organizations: readonly OrganizationId[];
  readonly model: Model;
  readonly imports: ImportId[];
}

async function run(each: Step, { writer, organizations, model, imports }: Running): Promise<void> {
  const organizationOf = ({ organization }: Change) => organizations[organization] as OrganizationId;
  const keyOf = ({ key, name, status }: Change): ApiKey => ({ ...(keys[key] as ApiKey), name, status });
  const isDone = (work: Promise<unknown>) =>
    work.then(
      () => true,
      error => {
        assert.ok(error instanceof Refused, error);
        return false;
      },
    );
  if (each.act === 'import') {
    const lines = each.changes.map((change, index) => ({
      line: index + 1,
      organizationId: organizationOf(change),
      key: keyOf(change),
    }));
    const { importId } = await importLines(writer, lines, { skipRefused: true });
    imports.push(importId as ImportId);
    const number = model.beginImport();
    for (const change of each.changes) model.write(change.organization, keyOf(change), number);
  } else if (each.act === 'revert') {
    const number = imports.length - 1 - each.of;
    const id = imports[number];
    if (!id) return;
    const { skipChanged } = each;
    const planned = await skippedBy(writer.revertImport(id, { skipChanged, dryRun: true }));
    const skipped = await skippedBy(writer.revertImport(id, { skipChanged }));
    assert.deepEqual([planned, skipped], Array(2).fill(model.revert(number, skipChanged)), 'revert');
  } else if (each.act === 'put') {
    const done = await isDone(writer.putApiKeys(organizationOf(each.change), [keyOf(each.change)]));
    assert.equal(done, model.write(each.change.organization, keyOf(each.change), null), 'put');
  } else {
    const { organization, key, status } = each.change;
    const { id } = keys[key] as ApiKey;
    const stored = model.get(organization, id);
    const done = await isDone(writer.setStatus(organizationOf(each.change), [id], status));
    const allowed = stored !== undefined && model.write(organization, { ...stored, status }, null);
    assert.equal(done, allowed, 'set status');
  }
}
